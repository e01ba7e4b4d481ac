import { buildSystemPrompt, defineAgent, insertAfter, type Layer, memoryFileSystem, presets } from 'soulprompt'
import { everyFault, type Fault, type FaultyFileSystem, type FileOperation, faultyFileSystem } from 'soulprompt/testing'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../../../src/ports/file-system.js'

const now = new Date('2026-02-16T09:30:00Z')
const session = { kind: 'main', memory: true } as const
const texts = {
  'SOUL.md': 'Dry humour, and calm.',
  'USER.md': 'Her name is Ines.',
  'MEMORY.md': 'She likes the blue clock.',
  'memory/2026-02-16-clock.md': 'Wound the clock.',
  'moods/a.md': 'Cheerful today.',
}

/** Loads a listing and a file of its own, besides those of the build. */
const mood: Layer<string> = {
  id: 'mood',
  stability: 'turn',
  async load(_, { files, signal }) {
    const [name = 'none.md'] = (await files.list?.('moods', { signal })) ?? []
    const [reading] = await files.read([`moods/${name}`], { signal })
    return reading?.state === 'present' ? reading.text : ''
  },
  render: ({ data = '' }) => (data === '' ? [] : [{ headings: ['# Mood'], text: data }]),
}

function agentOver(files: FileSystem) {
  return defineAgent({
    files,
    base: 'THE BASE TEXT',
    layers: insertAfter(presets.default.layers, 'clock', mood),
    // Within which a machine under load still reads from memory.
    deadlines: { files: 800 },
  })
}
const build = (files: FileSystem) => buildSystemPrompt(agentOver(files), { now, session })

const whole = await build(memoryFileSystem(texts))
const store = faultyFileSystem(memoryFileSystem(texts))
await build(store)
const { operations } = store

const kinds: readonly Fault[] = [
  { kind: 'fail' },
  { kind: 'fail', error: Object.create(null) },
  { kind: 'fail', paths: ['SOUL.md', 'moods/a.md'], reason: 'permission' },
  { kind: 'short' },
  { kind: 'short', units: 0 },
  { kind: 'tear' },
  { kind: 'tear', units: 1 },
  { kind: 'delay', ms: 1 },
  { kind: 'delay', ms: 'never' },
  { kind: 'crash' },
  { kind: 'crash', when: 'after' },
]

/** What is said of an operation that gave nothing. */
function codeOf({ method, paths }: FileOperation): string {
  if (paths.some((path) => path.startsWith('moods'))) return 'load-failed'
  return method === 'list' ? 'list-failed' : 'files-failed'
}

describe('a build over a store with a fault at one operation', () => {
  it('has as many operations as there are in a build', () => {
    expect(whole.diagnostics).toEqual([])
    const made = operations.map(({ method, paths }) => `${method} ${paths.length === 1 ? paths[0] : 'all'}`)
    expect(made.sort()).toEqual(['list memory', 'list moods', 'read all', 'read moods/a.md'])
  })

  const cases = operations.flatMap((operation) => kinds.map((fault) => ({ operation, fault })))
  it.concurrent.each(cases)('$operation.method $operation.index: $fault', async ({ operation, fault }) => {
    const { index } = operation
    const files = faultyFileSystem(memoryFileSystem(texts), { faults: [{ at: index, ...fault }] })
    const agent = agentOver(files)
    const prompt = await buildSystemPrompt(agent, { now, session })
    expect(files.operations.length, 'the operation was made').toBeGreaterThan(index)
    expect(prompt.text).toContain('THE BASE TEXT')

    const said = prompt.diagnostics.map(({ code, path, message }) => ({ code, path, message }))
    const cannotBeSeen = fault.kind === 'short' || fault.kind === 'tear' || (fault.kind === 'delay' && fault.ms === 1)
    const isPartial = fault.kind === 'fail' && fault.paths !== undefined && operation.method === 'read'
    if (isPartial && operation.paths.includes('SOUL.md')) {
      expect(said).toContainEqual(expect.objectContaining({ code: 'file-unreadable', path: 'SOUL.md' }))
      expect(prompt.text).toContain(texts['USER.md'])
    } else if (!cannotBeSeen && !isPartial) {
      const why = fault.kind === 'fail' ? (fault.error === undefined ? /EIO/ : /unprintable/) : /took (longer|too long)/
      expect(said).toContainEqual(
        expect.objectContaining({ code: codeOf(operation), message: expect.stringMatching(why) }),
      )
    }

    files.revive()
    const next = await buildSystemPrompt(agent, { now, session })
    expect(next.text).toBe(whole.text)
    expect(next.diagnostics).toEqual(whole.diagnostics)
    expect(next.sources).toEqual(whole.sources)
  })

  it('gives the first part of a text that was cut, and no diagnostic of another file', async () => {
    const at = operations.findIndex(({ paths }) => paths.includes('SOUL.md'))
    const files = faultyFileSystem(memoryFileSystem(texts), { faults: [{ at, kind: 'tear', units: 10 }] })
    const prompt = await build(files)
    expect(prompt.text).toContain('Dry humour')
    expect(prompt.text).not.toContain('Dry humour,')
    expect(prompt.text).toContain('Cheerful today.')
  })

  it('is what everyFault finds as well', async () => {
    const scenario = async (files: FaultyFileSystem) => {
      expect((await build(files)).text).toContain('THE BASE TEXT')
    }
    expect(await everyFault(() => memoryFileSystem(texts), scenario)).toBe(4 * 5)
    const careless = async (files: FaultyFileSystem) => {
      expect((await build(files)).text).toContain('Ines')
    }
    const failing = everyFault(() => memoryFileSystem(texts), careless, { faults: [{ kind: 'fail' }] })
    await expect(failing).rejects.toThrow(/^operation \d of 4, read \S+, \S+, \S+ and \d+ more: fail before: expected /)
  })
})
