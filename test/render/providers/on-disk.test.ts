import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSystemPrompt, defineAgent } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { toAnthropic } from '../../../src/render/providers/index.js'
import { joined } from './prompts.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'soulprompt-providers-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('keeps the block before the first mark byte for byte while the memory grows on disk', async () => {
  writeFileSync(join(folder, 'SOUL.md'), 'You are Ada, and you are curious.\n')
  writeFileSync(join(folder, 'MEMORY.md'), '- She likes tea.\n')
  const agent = defineAgent({ files: nodeFileSystem(folder), base: 'You help in a laboratory. '.repeat(200) })
  const system = async (hint: string) => {
    const prompt = await buildSystemPrompt(agent, { now: new Date('2026-02-16T18:00:00Z'), hints: [hint] })
    const blocks = toAnthropic(prompt, { cache: { model: 'claude-opus-5', ttl: { static: '1h' } } })
    expect(joined(blocks)).toBe(prompt.text)
    return blocks
  }

  const before = await system('The web is down.')
  expect(before.map((block) => block.cache_control)).toEqual([
    { type: 'ephemeral', ttl: '1h' },
    { type: 'ephemeral' },
    undefined,
    undefined,
  ])
  const otherHint = await system('The web is up.')
  appendFileSync(join(folder, 'MEMORY.md'), '- She moved to Lyon.\n')
  const after = await system('The web is up.')

  expect(otherHint.slice(0, 3)).toEqual(before.slice(0, 3))
  expect(after[0]).toEqual(before[0])
  expect(before[1]?.text).not.toContain('Lyon')
  expect(after[1]?.text).toContain('- She moved to Lyon.')
  expect(after.slice(2)).toEqual(otherHint.slice(2))
})
