import fc from 'fast-check'
import {
  type AgentOptions,
  buildSystemPrompt,
  defineAgent,
  insertBefore,
  type Layer,
  memoryFileSystem,
  presets,
  type Turn,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'

const paths = [
  'AGENTS.md',
  'SOUL.md',
  'USER.md',
  'MEMORY.md',
  'memory.md',
  'memory/2026-02-16.md',
  'memory/2026-02-16-x.md',
]
const looksAt = (id: string, text: (turn: Parameters<Layer['render']>[0]['turn']) => string): Layer<unknown> => ({
  id,
  stability: 'turn',
  render: ({ turn }) => [{ headings: [`# ${id}`], text: text(turn) }],
})

const layouts: readonly Partial<AgentOptions>[] = [
  {},
  {
    layers: insertBefore(
      presets.default.layers,
      'hints',
      looksAt('time', ({ now }) => `${now?.toISOString()}`),
    ),
  },
  {
    layers: insertBefore(
      presets.default.layers,
      'hints',
      looksAt('input', ({ input }) => `${input}`),
    ),
  },
  {
    layers: insertBefore(
      presets.default.layers,
      'hints',
      looksAt('id', ({ session }) => session.id),
    ),
  },
  {
    layers: insertBefore(
      presets.default.layers,
      'hints',
      looksAt('spread', (turn) => JSON.stringify({ ...turn, tools: 0 })),
    ),
  },
  {
    layers: insertBefore(presets.default.layers, 'hints', {
      id: 'dated',
      stability: 'turn',
      documents: ({ input }) => (input === 'two' ? [{ path: 'memory/2026-02-16.md', layer: 'dated' }] : []),
      render: ({ documents }) => documents.map((file) => ({ headings: ['# Dated'], file })),
    }),
  },
]

const turn: fc.Arbitrary<Turn> = fc.record({
  session: fc.record({
    id: fc.constantFrom('a', 'b'),
    kind: fc.constantFrom('main', 'group', 'subagent'),
    memory: fc.boolean(),
  }),
  now: fc.constantFrom(
    new Date('2026-02-16T09:30:00Z'),
    new Date('2026-02-16T09:30:01Z'),
    new Date('2026-02-17T01:00:00Z'),
  ),
  input: fc.constantFrom('one', 'two'),
  hints: fc.constantFrom([], ['hint'], ['hint', 'more']),
  tools: fc.constantFrom([], [{ name: 'edit' }], [{ name: 'edit', description: 'Edit' }]),
  timeZone: fc.constantFrom('UTC', 'Asia/Tokyo'),
})
const change = fc.record({
  path: fc.constantFrom(...paths),
  text: fc.option(fc.constantFrom('', 'one', 'two', '---\na: 1\n---\nx')),
})
const step = fc.oneof(
  { arbitrary: turn.map((value) => ({ turn: value })), weight: 3 },
  change.map((value) => ({ change: value })),
)

describe('what is kept between turns', () => {
  it('never changes a result', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...layouts),
        fc.array(step, { minLength: 2, maxLength: 15 }),
        async (layout, steps) => {
          const files = memoryFileSystem({ 'SOUL.md': 'Dry humour.' })
          const kept = defineAgent({ files, ...layout })
          for (const one of steps) {
            if ('change' in one) {
              const { path, text } = one.change
              if (text === null) await files.remove(path)
              else await files.write(path, text)
              continue
            }
            const fresh = defineAgent({ files, ...layout })
            expect(await buildSystemPrompt(kept, one.turn)).toEqual(await buildSystemPrompt(fresh, one.turn))
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  it('gives the very same prompt for an unchanged turn, whatever the time and the input', async () => {
    const agent = defineAgent({ files: memoryFileSystem({ 'SOUL.md': 'Dry humour.' }), tools: [{ name: 'edit' }] })
    const first = await buildSystemPrompt(agent, { now: new Date('2026-02-16T09:30:00Z'), input: 'one' })
    expect(await buildSystemPrompt(agent, { now: new Date('2026-02-16T23:59:59Z'), input: 'two' })).toBe(first)
    expect(await buildSystemPrompt(agent, { now: new Date('2026-02-17T00:00:00Z') })).not.toBe(first)
  })

  it('follows a host that changes a tool in place', async () => {
    const tool = { name: 'edit', description: 'old' }
    const agent = defineAgent({ files: memoryFileSystem({}) })
    const build = async () => (await buildSystemPrompt(agent, { now: new Date(0), tools: [tool] })).text
    expect(await build()).toContain('- edit: old')
    tool.description = 'new'
    expect(await build()).toContain('- edit: new')
  })
})
