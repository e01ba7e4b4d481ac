import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { type Budget, buildSystemPrompt, defineAgent, type SystemPrompt } from '../../../src/index.js'
import { END_BYTES } from '../../../src/workspace/decode.js'
import { compiled } from './compiled.js'
import { temporaryWorkspace } from './workspace.js'

const MiB = 2 ** 20
const now = new Date('2026-02-16T09:30:00Z')
const notes = ['memory/2026-02-15.md', 'memory/2026-02-16.md']
const slots = ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md', 'MEMORY.md', 'TOOLS.md', ...notes]
const kinds = [
  ['heartbeat', 'HEARTBEAT.md'],
  ['boot', 'BOOT.md'],
] as const

function build(root: string, kind: 'main' | 'heartbeat' | 'boot' = 'main', budget: Budget = {}): Promise<SystemPrompt> {
  return buildSystemPrompt(defineAgent({ files: nodeFileSystem(root), budget }), { now, session: { kind } })
}

/** What stands in the file's tag. */
function shown({ text }: SystemPrompt, path: string): string {
  const [, content = ''] = text.split(`<file name="${path}">\n`)
  return content.split('\n</file>')[0] ?? ''
}

/** What a build of a large workspace reads and takes, beyond what a small one took before, in a process of its own. */
const measured = `
  const [index, node, small, huge, io, kind] = process.argv.slice(1)
  const { default: fs } = await import('node:fs')
  let bytes = 0
  const { read, readSync } = fs
  fs.read = (...args) => {
    const done = args.pop()
    read(...args, (error, count) => { bytes += count; done(error, count) })
  }
  fs.readSync = (...args) => {
    const count = readSync(...args)
    bytes += count
    return count
  }
  const { buildSystemPrompt, defineAgent } = await import(index)
  const { nodeFileSystem } = await import(node)
  const now = new Date('2026-02-16T09:30:00Z')
  const build = (root) => buildSystemPrompt(defineAgent({ files: nodeFileSystem(root, { io }) }), { now, session: { kind } })
  await build(small)
  gc()
  const before = process.memoryUsage.rss()
  bytes = 0
  const { sources } = await build(huge)
  const peak = process.resourceUsage().maxRSS * 1024 - before
  const truncated = sources.filter(({ state }) => state === 'truncated').map(({ path }) => path)
  console.log(JSON.stringify({ bytes, peak, truncated }))
`

describe('a file of 1 GiB in every slot', () => {
  const all = [...slots, ...kinds.map(([, path]) => path)]
  const start = Buffer.from('开始 start\n'.repeat(100_000))
  const end = Buffer.from('结尾 end\n'.repeat(120_000))
  let folder = ''
  let entries: readonly string[] = []

  beforeAll(() => {
    folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'huge-')))
    for (const path of all) {
      for (const root of ['small', 'huge']) fs.mkdirSync(join(folder, root, dirname(path)), { recursive: true })
      fs.writeFileSync(join(folder, 'small', path), 'A line of text, 一行文字。\n')
      // The middle is a hole, which takes no room on the disk; nobody looks at it.
      const fd = fs.openSync(join(folder, 'huge', path), 'w')
      fs.writeSync(fd, start, 0, start.length, 0)
      fs.writeSync(fd, end, 0, end.length, 1_024 * MiB - end.length)
      fs.closeSync(fd)
    }
    fs.symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'))
    entries = ['index.js', 'adapters/node/index.js'].map((entry) => pathToFileURL(compiled(folder, entry)).href)
  })
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  test.each(kinds.flatMap(([kind, path]) => [[kind, path, 'sync'] as const, [kind, path, 'async'] as const]))(
    'of a %s session with %s, %s: takes under 32 MiB, and reads the two ends',
    (kind, path, io) => {
      const args = [...entries, join(folder, 'small'), join(folder, 'huge'), io, kind]
      const output = execFileSync(
        process.execPath,
        ['--expose-gc', '--input-type=module', '-e', measured, '--', ...args],
        { encoding: 'utf8' },
      )
      const { bytes, peak, truncated } = JSON.parse(output)
      expect(truncated.toSorted()).toEqual([...slots, path].toSorted())
      expect(bytes).toBe(2 * END_BYTES * (slots.length + 1))
      expect(peak).toBeLessThan(32 * MiB)
    },
  )
})

test('a file of 10 MB in every slot comes by its two ends, with its exact length', async () => {
  const line = 'The heron stands in the shallows; 苍鹭站在浅水里。😀\n'
  const middle = line.repeat(Math.ceil(10_000_000 / Buffer.byteLength(line)))
  const textOf = (path: string) => `THE BEGINNING OF ${path}\n${middle}THE END OF ${path}`
  const texts = Object.fromEntries([...slots, 'HEARTBEAT.md'].map((path) => [path, textOf(path)]))
  const { root } = temporaryWorkspace(texts)
  const prompt = await build(root, 'heartbeat')
  for (const [path, text] of Object.entries(texts)) {
    const source = prompt.sources.find((source) => source.path === path)
    expect(source).toMatchObject({ state: 'truncated', rawChars: text.length })
    expect(shown(prompt, path)).toContain(`THE END OF ${path}`)
    expect(shown(prompt, path).length).toBeLessThanOrEqual(20_000)
    if (!notes.includes(path)) expect(shown(prompt, path).startsWith(`THE BEGINNING OF ${path}\n`)).toBe(true)
  }
  expect(prompt.chars).toBeLessThan(Object.keys(texts).length * 21_000)
})

test('whether a person filled in a long file is seen at its beginning', async () => {
  const lines = 'She grows irises and writes letters by hand.\n'.repeat(50_000)
  const guidance = async (text: string) => {
    const { root } = temporaryWorkspace({ 'USER.md': text })
    const agent = defineAgent({ files: nodeFileSystem(root), locale: 'en' })
    const { text: prompt } = await buildSystemPrompt(agent, { now })
    return prompt.split('</file>').at(-1)
  }
  const rich = await guidance(lines.slice(0, 1_000))
  const sparse = await guidance('# User\n')
  expect(rich).not.toBe(sparse)
  expect(await guidance(lines)).toBe(rich)
  expect(await guidance(`${'# User\n'.repeat(10_000)}${lines}`)).toBe(sparse)
})

describe('a file that is one character', () => {
  test.each(['x', '中', '😀', '`', '<', '\u0301', '👩‍👩‍👧‍👦', '🇨🇳', '\n', ' '])(
    '%j, over and over',
    async (character) => {
      const text = character.repeat(Math.ceil(1_500_000 / character.length))
      const { root } = temporaryWorkspace({ 'SOUL.md': text, 'USER.md': 'Her name is Ines.' })
      const prompt = await build(root)
      const source = prompt.sources.find(({ path }) => path === 'SOUL.md')
      expect(source?.state).toBe(character.trim() === '' ? 'empty' : 'truncated')
      expect(source?.keptChars).toBeLessThanOrEqual(20_000)
      expect(prompt.text).toContain('Her name is Ines.')
      expect(prompt.text.isWellFormed()).toBe(true)
    },
  )
})

describe('a cap that falls inside an emoji', () => {
  const family = '👩‍👩‍👧‍👦'
  const caps = Array.from({ length: family.length }, (_, more) => 1_000 + more)

  test.each([
    ['of a file that is read whole', 5_000],
    ['of a file that is read by its ends', 200_000],
  ])('%s: none is split', async (_, count) => {
    const { root } = temporaryWorkspace({ 'SOUL.md': family.repeat(count) })
    for (const max of caps) {
      const prompt = await build(root, 'main', { perFile: { 'SOUL.md': max } })
      const parts = shown(prompt, 'SOUL.md').split('\n\n')
      expect(parts).toHaveLength(3)
      for (const part of [parts[0], parts[2]]) expect(part?.replaceAll(family, '')).toBe('')
      expect(parts.join('\n\n').length).toBeLessThanOrEqual(max)
      expect(parts[1]).toContain(`of ${family.length * count})`)
    }
  })
})
