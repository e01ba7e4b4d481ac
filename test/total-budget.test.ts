import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  buildSystemPrompt,
  countTokens,
  defineAgent,
  diffPrompts,
  memoryFileSystem,
  type SystemPrompt,
  type Turn,
} from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'
import { gptTokenCounter } from 'soulprompt/tokenizer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

/** A workspace on disk over its total, as it is edited from turn to turn. */
describe('a total budget over real files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'soulprompt-total-'))
  const lines = (count: number, what: string) =>
    Array.from({ length: count }, (_, index) => `- ${what} ${index}: it was said once and is kept.\n`).join('')
  const tools = ['read', 'edit', 'look_up'].map((name) => ({ name, description: `Use it to ${name}.` }))
  let agent: ReturnType<typeof defineAgent>
  let counter: Awaited<ReturnType<typeof gptTokenCounter>>

  beforeAll(async () => {
    counter = await gptTokenCounter()
    mkdirSync(join(folder, 'memory'))
  })
  beforeEach(() => {
    writeFileSync(join(folder, 'AGENTS.md'), `# Rules\n\n${lines(60, 'Rule')}`)
    writeFileSync(join(folder, 'SOUL.md'), '# Soul\n\nDry humour, few words.\n')
    writeFileSync(join(folder, 'USER.md'), `# User\n\n- Name: Ines\n${lines(20, 'Habit')}`)
    writeFileSync(join(folder, 'MEMORY.md'), `# Memory\n\n${lines(500, 'Fact')}`)
    agent = defineAgent({
      files: nodeFileSystem(folder),
      base: 'You are a careful assistant.',
      budget: { perFile: 60_000, total: { tokens: 4_000, counter } },
    })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const build = (turn: Turn = {}) => buildSystemPrompt(agent, { now: new Date('2026-02-16T09:00:00Z'), tools, ...turn })
  const textBefore = (id: string, { sections }: SystemPrompt) =>
    sections
      .slice(
        0,
        sections.findIndex((section) => section.id === id),
      )
      .map(({ text }) => text)
      .join('')

  it('keeps to it, with the newest memory, and says what was cut', async () => {
    appendFileSync(join(folder, 'MEMORY.md'), '- The very last thing that was learned.\n')
    const prompt = await build()
    expect(counter.count(prompt.text)).toBeLessThanOrEqual(4_000)
    expect(countTokens(prompt, counter)).toEqual({ tokens: counter.count(prompt.text), exact: true })
    expect(prompt.text).toContain('- The very last thing that was learned.\n')
    expect(prompt.sources.filter(({ state }) => state === 'truncated').map(({ path }) => path)).toEqual(['MEMORY.md'])
    const [cut] = prompt.diagnostics.filter(({ code }) => code === 'file-truncated')
    expect(cut?.message).toMatch(/^MEMORY\.md has 2\d{4} chars and room for \d+ in the total budget/)
  })

  it.each<[string, string, () => Turn]>([
    [
      'a line at the end of memory',
      'memory/MEMORY.md',
      () => edit('MEMORY.md', (path) => appendFileSync(path, '- More.\n')),
    ],
    [
      'a line at its beginning',
      'memory/MEMORY.md',
      () => edit('MEMORY.md', (path) => writeFileSync(path, lines(501, 'Fact'))),
    ],
    ['another user', 'user/USER.md', () => edit('USER.md', (path) => writeFileSync(path, '- Name: Mina\n'))],
    ['another day', 'clock', () => ({ now: new Date('2026-02-17T09:00:00Z') })],
    ['one more tool', 'tools', () => ({ tools: [...tools, { name: 'ask', description: 'Ask.' }] })],
    ['a hint', 'hints', () => ({ hints: ['The web is down.'] })],
  ])('leaves all bytes before %s as they were', async (_what, id, change) => {
    const first = await build()
    const second = await build(change())
    expect(second.text).not.toBe(first.text)
    expect(textBefore(id, second)).not.toBe('')
    expect(first.text.startsWith(textBefore(id, second))).toBe(true)
    expect(diffPrompts(first, second).first?.section).toBe(id)
  })

  it('is the same with the tools in another order', async () => {
    const first = await build()
    expect((await build({ tools: [...tools].reverse() })).text).toBe(first.text)
  })

  function edit(name: string, work: (path: string) => void): Turn {
    work(join(folder, name))
    return {}
  }
})

describe('a file cut by its sections', () => {
  it('says in the prompt and in the diagnostics which are left out', async () => {
    const body = (word: string) => `${word} is said here, at some length. `.repeat(12)
    const text = ['Git', 'Tests', 'Deploy'].map((title) => `## ${title}\n\n${body(title)}\n`).join('\n')
    const agent = defineAgent({
      files: memoryFileSystem({ 'AGENTS.md': text }),
      budget: { perFile: { 'AGENTS.md': { max: 900, strategy: 'sections' } } },
    })
    const prompt = await buildSystemPrompt(agent, { tools: [{ name: 'read' }] })
    expect(prompt.text).toContain(`## Git\n\n${body('Git').trim()}`)
    expect(prompt.text).toContain('## Deploy')
    expect(prompt.text).not.toContain('Deploy is said here')
    expect(prompt.text).toMatch(/"Deploy".*AGENTS\.md/)
    const [cut] = prompt.diagnostics.filter(({ code }) => code === 'file-truncated')
    expect(cut?.message).toMatch(
      /^AGENTS\.md has \d+ chars and a cap of 900: \d+ of them are shown, and .*Deploy (is|are) left out\.$/,
    )
  })

  it('keeps all bytes before what is appended to a stepped file', async () => {
    const files = memoryFileSystem({ 'MEMORY.md': '- A line of memory.\n'.repeat(400) })
    const agent = defineAgent({
      files,
      budget: { perFile: { 'MEMORY.md': { max: 4_000, stepped: true, boundary: 'line' } } },
    })
    let last = await sectionOf()
    let moved = 0
    for (let line = 0; line < 20; line += 1) {
      const [reading] = await files.read(['MEMORY.md'])
      await files.write('MEMORY.md', `${reading?.state === 'present' ? reading.text : ''}- Line ${line} came later.\n`)
      const next = await sectionOf()
      const shown = last.slice(0, last.lastIndexOf('\n</file>'))
      if (!next.startsWith(shown)) moved += 1
      expect(next).toContain(`- Line ${line} came later.\n</file>`)
      last = next
    }
    expect(moved).toBeLessThanOrEqual(3)

    async function sectionOf() {
      const { sections } = await buildSystemPrompt(agent)
      return sections.find(({ source }) => source === 'MEMORY.md')?.text ?? ''
    }
  })
})
