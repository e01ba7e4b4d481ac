import fc from 'fast-check'
import {
  type AgentOptions,
  buildSystemPrompt,
  composeSystemPrompt,
  defineAgent,
  memoryFileSystem,
  PromptError,
  presets,
  type Section,
  type Stability,
  type SystemPrompt,
  snapshotOf,
  type TokenCounter,
  type Turn,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'
import { diffPrompts } from '../../src/render/diff-prompts.js'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `- Note ${index}: the heron was there.\n`)
const memory = lines(40).join('')
const workspace = {
  'AGENTS.md': '# How to work\n\nRead first, then change.\n',
  'SOUL.md': '# Soul\n\nDry humour, short answers.\n',
  'USER.md': '- Name: Mina\n- City: Lisbon\n- Likes: herons\n- Dislikes: alarms before eight in the morning\n',
  'MEMORY.md': memory,
  'TOOLS.md': '- The camera is called porch.\n',
}
const tools = ['read', 'edit', 'search'].map((name) => ({ name, description: `Does what ${name} does` }))
const monday: Turn = { now: new Date('2026-02-16T18:00:00Z'), tools }
const tuesday: Turn = { now: new Date('2026-02-17T18:00:00Z'), tools }

type Texts = Readonly<Record<string, string>>

/** The prompts of one agent before and after what happens to its files and its turn. */
async function difference(
  change: { readonly texts?: Readonly<Record<string, string | undefined>>; readonly turn?: Turn },
  options: Partial<AgentOptions> = {},
  texts: Texts = workspace,
) {
  const files = memoryFileSystem(texts)
  const agent = defineAgent({ files, base: 'You keep watch.', ...options })
  const before = await buildSystemPrompt(agent, monday)
  for (const [path, text] of Object.entries(change.texts ?? {})) {
    if (text === undefined) await files.remove?.(path)
    else await files.write?.(path, text)
  }
  const after = await buildSystemPrompt(agent, { ...monday, ...change.turn })
  return { before, after, diff: diffPrompts(before, after) }
}

function startOf(prompt: SystemPrompt, id: string): number {
  const index = prompt.sections.findIndex((section) => section.id === id)
  expect(index).toBeGreaterThanOrEqual(0)
  return prompt.sections.slice(0, index).reduce((sum, { chars }) => sum + chars, 0)
}

describe('diffPrompts', () => {
  it('says of the same prompt that nothing is lost', async () => {
    const { before, diff } = await difference({})
    const { tokens } = diff.kept
    expect(diff).toEqual({
      same: true,
      hurts: false,
      kept: { chars: before.chars, tokens, exact: false },
      lost: { chars: 0, tokens: 0, exact: false },
      fresh: { chars: 0, tokens: 0, exact: false },
      changes: [],
    })
    expect(tokens).toBeGreaterThan(0)
  })

  it('names section, place and reason of a file that was appended to', async () => {
    const { before, diff } = await difference({ texts: { 'MEMORY.md': `${memory}- Note 40: a kingfisher.\n` } })
    const start = startOf(before, 'memory/MEMORY.md')
    const offset = before.text.indexOf('</file>', start)
    expect(diff.first).toEqual({
      section: 'memory/MEMORY.md',
      layer: 'memory',
      source: 'MEMORY.md',
      stability: 'workspace',
      offset,
      offsetInSection: offset - start,
      why: 'appended',
      message: `MEMORY.md was appended to: it has ${memory.length + 25} chars and had ${memory.length}.`,
    })
    expect(diff.hurts).toBe(true)
    expect(diff.kept.chars).toBe(offset)
    expect(diff.lost.chars).toBe(before.chars - offset)
    expect(diff.changes.map(({ kind, id }) => [kind, id])).toEqual([['changed', 'memory/MEMORY.md']])
  })

  it('is frozen plain data', async () => {
    const { diff } = await difference({ texts: { 'SOUL.md': 'Another.' } })
    expect(structuredClone(diff)).toEqual(diff)
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen))
    expect(frozen(diff)).toBe(true)
  })

  it('takes a prompt that was stored', async () => {
    const { before, after, diff } = await difference({ texts: { 'SOUL.md': 'Another.' } })
    expect(diffPrompts(JSON.parse(JSON.stringify(before)), structuredClone(after))).toEqual(diff)
  })
})

describe('why a prompt changed', () => {
  const long = lines(400).join('')
  const tight: Partial<AgentOptions> = { budget: { perFile: { 'MEMORY.md': 4_000 } } }
  const newest: Partial<AgentOptions> = { budget: { perFile: { 'MEMORY.md': { max: 4_000, strategy: 'newest' } } } }
  const heading: Partial<AgentOptions> = { delimiter: 'heading' }
  const companion: Partial<AgentOptions> = { preset: presets.companion }
  const shared: Partial<AgentOptions> = {
    documents: (rows) =>
      rows.map((row) => (['MEMORY.md', 'USER.md'].includes(row.path) ? { ...row, share: 'person' } : row)),
    budget: { shares: { person: 2_000 } },
  }

  it.each<[string, Parameters<typeof difference>[0], Partial<AgentOptions>, Texts, string, string, string]>([
    [
      'appended, bare',
      { texts: { 'MEMORY.md': `${memory}- New.\n` } },
      heading,
      {},
      'memory/MEMORY.md',
      'appended',
      'appended',
    ],
    [
      'appended, companion',
      { texts: { 'MEMORY.md': `${memory}- New.\n` } },
      companion,
      {},
      'memory/MEMORY.md',
      'appended',
      'appended',
    ],
    [
      'a tag appended',
      { texts: { 'SOUL.md': '# Soul\n\nDry humour, short answers.\n<i>x</i>\n' } },
      {},
      {},
      'persona/SOUL.md',
      'appended',
      'appended',
    ],
    [
      'edited in the midst',
      { texts: { 'USER.md': workspace['USER.md'].replace('Lisbon', 'Porto') } },
      {},
      {},
      'user/USER.md',
      'edited',
      'USER.md was edited',
    ],
    [
      'edited in its last line',
      { texts: { 'USER.md': workspace['USER.md'].replace('eight', 'nine') } },
      {},
      {},
      'user/USER.md',
      'edited',
      'USER.md was edited',
    ],
    [
      'a line put before its last',
      { texts: { 'USER.md': workspace['USER.md'].replace('- Dis', '- Age: 30\n- Dis') } },
      {},
      {},
      'user/USER.md',
      'edited',
      'USER.md was edited',
    ],
    [
      'written anew at its start',
      { texts: { 'MEMORY.md': `- New.\n${memory}` } },
      {},
      {},
      'memory/MEMORY.md',
      'edited',
      'edited',
    ],
    [
      'grown past its cap',
      { texts: { 'MEMORY.md': long } },
      tight,
      {},
      'memory/MEMORY.md',
      'recut',
      `has ${long.length} chars and had ${memory.length}`,
    ],
    [
      'grown over its cap',
      { texts: { 'MEMORY.md': `${long}- New.\n` } },
      tight,
      { 'MEMORY.md': long },
      'memory/MEMORY.md',
      'recut',
      'The cut of MEMORY.md moved',
    ],
    [
      'grown, newest kept',
      { texts: { 'MEMORY.md': `${long}- New.\n` } },
      newest,
      { 'MEMORY.md': long },
      'memory/MEMORY.md',
      'recut',
      'The cut of MEMORY.md moved',
    ],
    [
      'edited in its head, over its cap',
      { texts: { 'MEMORY.md': long.replace('Note 3:', 'Note three:') } },
      tight,
      { 'MEMORY.md': long },
      'memory/MEMORY.md',
      'edited',
      'MEMORY.md was edited',
    ],
    [
      'less room as another grew',
      { texts: { 'MEMORY.md': memory } },
      shared,
      { 'USER.md': long.slice(0, 1_600), 'MEMORY.md': '- New.\n' },
      'user/USER.md',
      'refitted',
      'USER.md is the same file; ',
    ],
    [
      'a file appeared',
      { texts: { 'IDENTITY.md': '- Name: Kestrel\n' } },
      {},
      {},
      'preface',
      'edited',
      'IDENTITY.md was missing and is shown.',
    ],
    ['a file went', { texts: { 'MEMORY.md': undefined } }, heading, {}, 'memory/MEMORY.md', 'removed', 'it is missing'],
    [
      'a file was emptied',
      { texts: { 'SOUL.md': '' } },
      {},
      {},
      'preface',
      'edited',
      'SOUL.md was shown and is empty.',
    ],
    [
      'a file is not for the session',
      { turn: { session: { memory: false } } },
      {},
      {},
      'preface',
      'edited',
      'USER.md was shown and is not for the session.',
    ],
    [
      'a file appeared, companion',
      { texts: { 'SOUL.md': 'Wry.' } },
      companion,
      { 'SOUL.md': '' },
      'persona/SOUL.md',
      'added',
      'SOUL.md is shown; it was empty.',
    ],
    [
      'a section came',
      { texts: { 'TOOLS.md': 'The camera.' } },
      {},
      { 'TOOLS.md': '' },
      'tools/TOOLS.md',
      'added',
      'it was empty',
    ],
    ['a section went', { texts: { 'TOOLS.md': '' } }, {}, {}, 'tools/TOOLS.md', 'removed', 'it is empty'],
    [
      'not for the session, companion',
      { turn: { session: { memory: false } } },
      companion,
      {},
      'user/USER.md',
      'removed',
      'is not for the session',
    ],
    ['another day', { turn: tuesday }, {}, {}, 'clock', 'edited', '"'],
    [
      'the first hint',
      { turn: { hints: ['The network is slow.'] } },
      {},
      {},
      'hints',
      'added',
      'The section hints is new.',
    ],
    [
      'a tool more',
      { turn: { tools: [...tools, { name: 'zoom', description: 'Looks closer' }] } },
      {},
      {},
      'tools',
      'appended',
      'zoom',
    ],
    [
      'a tool between',
      { turn: { tools: [...tools, { name: 'open', description: 'Opens' }] } },
      {},
      {},
      'tools',
      'edited',
      'open',
    ],
    ['a tool less', { turn: { tools: tools.slice(0, 2) } }, {}, {}, 'tools', 'edited', 'has 1 line less ('],
    [
      'tools in another order',
      { turn: { tools: tools.toReversed() } },
      { toolOrder: 'registration' },
      {},
      'tools',
      'reordered',
      'The lines of tools stand in another order.',
    ],
  ])('%s', async (_, change, options, texts, section, why, message) => {
    const { before, after, diff } = await difference(change, options, { ...workspace, ...texts })
    expect(diff.first).toMatchObject({ section, why })
    expect(diff.first?.message).toContain(message)
    expect(diff.first?.message).toMatch(/^[^\n]+\.$/)
    expect(before.text.slice(0, diff.kept.chars)).toBe(after.text.slice(0, diff.kept.chars))
  })

  it('knows a file that stands in another frame', async () => {
    const files = memoryFileSystem(workspace)
    const [tags, demoted] = [false, true].map((demoteHeadings) => defineAgent({ files, demoteHeadings }))
    if (tags === undefined || demoted === undefined) throw new Error('expected two agents')
    const { first } = diffPrompts(await buildSystemPrompt(tags, monday), await buildSystemPrompt(demoted, monday))
    expect(first).toMatchObject({ section: 'contract/AGENTS.md', why: 'reframed' })
  })

  it('compares texts in hand, which have no version', () => {
    const agent = defineAgent({ files: memoryFileSystem(), budget: { perFile: 600 } })
    const wider = defineAgent({ files: memoryFileSystem(), budget: { perFile: 700 } })
    const prompt = (of: typeof agent, text: string) => composeSystemPrompt(snapshotOf({ 'SOUL.md': text }), of)
    const same = diffPrompts(prompt(agent, memory), prompt(wider, memory))
    expect(same.first).toMatchObject({ section: 'persona/SOUL.md', why: 'refitted' })
    const other = diffPrompts(prompt(agent, 'Dry.'), prompt(agent, 'Wry.'))
    expect(other.first).toMatchObject({ section: 'persona/SOUL.md', why: 'edited' })
  })

  it('tells which of two sections changed its place', () => {
    const of = (ids: string) => handmade([...ids].map((id) => ({ id, text: `${id}\n\n` })))
    expect(diffPrompts(of('abcd'), of('bcda')).first).toMatchObject({
      section: 'a',
      why: 'moved',
      message: 'a is section 4 of the prompt; it was section 1.',
    })
    expect(diffPrompts(of('abcd'), of('dabc')).first).toMatchObject({ section: 'd', why: 'moved' })
    expect(diffPrompts(of('abcd'), of('acd')).first).toMatchObject({ section: 'b', why: 'removed', offset: 3 })
    expect(diffPrompts(of('ab'), of('abc')).first).toMatchObject({ section: 'c', why: 'added', offset: 6 })
    expect(diffPrompts(of('abc'), of('ab')).first).toMatchObject({ section: 'c', why: 'removed', offset: 6 })
  })

  it('tells a line put in from one put behind', () => {
    const of = (text: string) => handmade([{ id: 'a', text }])
    expect(diffPrompts(of('a\nb\n\n'), of('a\nc\nb\n\n')).first?.why).toBe('edited')
    expect(diffPrompts(of('a\nb\n\n'), of('a\nb\nc\n\n')).first?.why).toBe('appended')
  })

  it('names no place inside a character', () => {
    const of = (text: string) => handmade([{ id: 'a', text: `${text}\n\n` }])
    for (const [before, after] of [
      ['one 🦜', 'one 🦝'],
      ['one 🦜', 'one \ud83e'],
      ['one \ud83e', 'one 🦜'],
    ] as const) {
      expect(diffPrompts(of(before), of(after)).first?.offset).toBe(4)
    }
    expect(diffPrompts(of('\ud83ea'), of('\ud83eb')).first?.offset).toBe(1)
  })

  it('finds the section although its new end begins as the next section does', () => {
    const next = { id: 'next', text: '# Next\n\nSomething.\n\n' }
    const before = handmade([{ id: 'a', text: 'One.\n\n' }, next])
    const after = handmade([{ id: 'a', text: 'One.\n\n# Next\n\nElse.\n\n' }, next])
    const shared = 'One.\n\n# Next\n\n'.length
    expect(diffPrompts(before, after).first).toMatchObject({ section: 'a', why: 'appended', offset: shared })
    expect(diffPrompts(after, before).first).toMatchObject({ section: 'a', why: 'edited', offset: shared })
  })
})

describe('what a change costs', () => {
  it('hurts where something lasting is lost, and not where only the clock is', async () => {
    expect((await difference({ turn: tuesday })).diff.hurts).toBe(false)
    expect((await difference({ texts: { 'USER.md': 'Other.\n' } })).diff.hurts).toBe(true)
    const [first, second] = ['1', '2'].map((text) =>
      handmade([
        { id: 'noise', text: `${text}\n\n`, stability: 'turn' },
        { id: 'rules', text: 'Rules.\n\n' },
      ]),
    )
    if (first === undefined || second === undefined) throw new Error('expected two prompts')
    expect(diffPrompts(first, second)).toMatchObject({ hurts: true, first: { section: 'noise', stability: 'turn' } })
  })

  it('counts the tokens of whole lines alone, by the counter it is given', () => {
    const counter: TokenCounter = {
      name: 'words',
      exact: true,
      additive: true,
      count: (text) => text.split(/\s+/).filter(Boolean).length,
    }
    const before = handmade([{ id: 'a', text: 'one two\nthree four five\n\n' }])
    const after = handmade([{ id: 'a', text: 'one two\nthree four six\n\n' }])
    const { kept, lost } = diffPrompts(before, after, { counter })
    expect(kept).toEqual({ chars: 'one two\nthree four '.length, tokens: 2, exact: true })
    expect(lost).toEqual({ chars: 'five\n\n'.length, tokens: 3, exact: true })
  })

  it('breaks no line apart from what a token may reach across', () => {
    const counter: TokenCounter = { name: 'units', additive: true, count: ({ length }) => length }
    const before = handmade([{ id: 'a', text: 'one\n\n two\n/three\nfour\n\n' }])
    const cut = (text: string) => diffPrompts(before, handmade([{ id: 'a', text }]), { counter }).kept.tokens
    expect(cut('one\n\n two\n/three\nfour!\n\n')).toBe('one\n\n two\n/three\n'.length)
    expect(cut('one\n\n two\n/three\n four\n\n')).toBe(0)
    expect(cut('one\n\n two\n/thr\n\n')).toBe(0)
  })

  it('promises no exact parts by a counter whose parts do not add up', () => {
    const counter: TokenCounter = { name: 'odd', exact: true, count: ({ length }) => Math.ceil(length / 3) }
    const before = handmade([{ id: 'a', text: 'one\ntwo\n\n' }])
    expect(diffPrompts(before, before, { counter }).kept).toMatchObject({ tokens: 3, exact: true })
    const after = handmade([{ id: 'a', text: 'one\nten\n\n' }])
    expect(diffPrompts(before, after, { counter }).kept).toMatchObject({ tokens: 2, exact: false })
  })
})

describe('what is no prompt', () => {
  const prompt = handmade([{ id: 'a', text: 'One.\n\n' }])
  it.each<[unknown, unknown, unknown, string]>([
    [undefined, prompt, {}, 'diffPrompts: before: expected a prompt, as buildSystemPrompt gives, got undefined'],
    [prompt, 'You are …', {}, 'diffPrompts: after: expected a prompt, as buildSystemPrompt gives, got "You are …"'],
    [prompt, { ...prompt, sections: [null] }, {}, 'got an object'],
    [prompt, { ...prompt, text: 'Two.' }, {}, 'got an object'],
    [prompt, { ...prompt, sources: undefined }, {}, 'got an object'],
    [prompt, prompt, { counter: 'o200k' }, 'diffPrompts: options: expected { counter? }'],
    [prompt, prompt, null, 'got null'],
  ])('%j, %j, %j', (before, after, options, message) => {
    const call = () => Reflect.apply(diffPrompts, undefined, [before, after, options])
    expect(call).toThrow(PromptError)
    expect(call).toThrow(message)
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })
})

describe('laws', () => {
  const piece = fc.record({
    id: fc.constantFrom(...'abcd'),
    text: fc
      .array(fc.constantFrom('a', 'b', '\n', '/', ' ', '\n\n', '# A', '<file name="', '🦜', '🦝', '\ud83e', '\udd9c'), {
        maxLength: 6,
      })
      .map((parts) => `${parts.join('')}\n\n`),
    stability: fc.constantFrom<Stability>('static', 'workspace', 'session', 'turn'),
  })
  const prompt = fc.array(piece, { maxLength: 6 }).map(handmade)
  const pair = fc.oneof(
    fc.tuple(prompt, prompt),
    // Mostly alike: one section is changed, or the order.
    fc
      .tuple(fc.array(piece, { maxLength: 6 }), piece, fc.nat(6))
      .map(([pieces, other, at]): [SystemPrompt, SystemPrompt] => [
        handmade(pieces),
        handmade(pieces.toSpliced(at, 1, other)),
      ]),
  )

  it('both texts begin with what is kept, and the next character is another', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { same, kept, first } = diffPrompts(before, after)
        expect(same).toBe(before.text === after.text)
        expect(first === undefined).toBe(same)
        expect(before.text.slice(0, kept.chars)).toBe(after.text.slice(0, kept.chars))
        if (!same) expect(before.text.codePointAt(kept.chars)).not.toBe(after.text.codePointAt(kept.chars))
        for (const { text } of [before, after]) {
          const isPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(kept.chars - 1, kept.chars + 1))
          expect(kept.chars > 0 && isPair).toBe(false)
        }
      }),
    )
  })

  it('as much is kept the other way round', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(diffPrompts(before, after).kept.chars).toBe(diffPrompts(after, before).kept.chars)
      }),
    )
  })

  it('counts no section as kept that stands behind the first difference', () => {
    const counter: TokenCounter = { name: 'units', additive: true, exact: true, count: ({ length }) => length * 2 }
    const [before, after] = ['one', 'two'].map((end) =>
      handmade([
        { id: 'a', text: `${'A line.\n'.repeat(100)}${end}\n\n` },
        { id: 'b', text: 'short\n\n' },
      ]),
    ) as [SystemPrompt, SystemPrompt]
    expect(diffPrompts(before, after, { counter }).kept).toEqual({ chars: 800, tokens: 1_600, exact: true })
  })

  it('what is kept and lost is the earlier prompt, what is kept and fresh the later one, in units and in tokens', () => {
    const counter: TokenCounter = { name: 'units', additive: true, exact: true, count: ({ length }) => length }
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { kept, lost, fresh } = diffPrompts(before, after, { counter })
        expect(kept.chars + lost.chars).toBe(before.chars)
        expect(kept.tokens + lost.tokens).toBe(before.chars)
        expect(kept.chars + fresh.chars).toBe(after.chars)
        expect(kept.tokens + fresh.tokens).toBe(after.chars)
        expect(kept.tokens).toBeLessThanOrEqual(kept.chars)
      }),
    )
  })

  it('the section named is one of the prompts’, and holds the place', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { first } = diffPrompts(before, after)
        if (first === undefined) return
        const holds = ({ sections }: SystemPrompt) => {
          let start = 0
          return sections.some(({ id, chars }) => {
            start += chars
            return (
              id === first.section && start - chars === first.offset - first.offsetInSection && first.offset < start
            )
          })
        }
        expect(holds(before) || holds(after)).toBe(true)
      }),
    )
  })
})

function handmade(
  pieces: readonly { readonly id: string; readonly text: string; readonly stability?: Stability }[],
): SystemPrompt {
  const sections = pieces.map(
    ({ id, text, stability = 'static' }): Section => ({
      id,
      layer: id,
      text,
      chars: text.length,
      stability,
      priority: null,
      fingerprint: text,
    }),
  )
  const text = sections.map((section) => section.text).join('')
  return {
    text,
    sections,
    context: [],
    sources: [],
    diagnostics: [],
    memory: true,
    precedence: [],
    chars: text.length,
    fingerprint: text,
  }
}
