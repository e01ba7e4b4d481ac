import fc from 'fast-check'
import { gptTokenCounter } from 'soulprompt/tokenizer'
import { describe, expect, it } from 'vitest'
import {
  type AgentOptions,
  composeSystemPrompt,
  defineAgent,
  insertBefore,
  type Layer,
  memoryFileSystem,
  presets,
  snapshotOf,
  type TokenCounter,
  type Turn,
} from '../../src/index.js'

const now = new Date('2026-02-16T09:00:00Z')
const counter = await gptTokenCounter()

function build(texts: Record<string, string>, budget: AgentOptions['budget'], turn: Turn = {}, options = {}) {
  const agent = defineAgent({ files: memoryFileSystem(), base: 'You are a helper.', budget, ...options })
  return composeSystemPrompt(snapshotOf(texts), agent, { now, ...turn })
}

const lines = (count: number, word = 'point') =>
  Array.from({ length: count }, (_, n) => `- ${word} number ${n} is still open.`)
const long = (count: number, word?: string) => `# Notes\n\n${lines(count, word).join('\n')}\n`
const workspace = {
  'AGENTS.md': long(120, 'rule'),
  'SOUL.md': long(40, 'trait'),
  'USER.md': long(30, 'habit'),
  'IDENTITY.md': '- **Name:** Ines\n',
  'TOOLS.md': long(60, 'tool'),
  'MEMORY.md': long(400, 'memory'),
  'memory/2026-02-16.md': long(80, 'today'),
}

const word = fc.constantFrom(
  'word',
  '你好',
  '👩‍👩‍👧',
  '```',
  '~~~',
  '<!--',
  '\n',
  '\n\n',
  '# Head',
  '- item',
  '</file>',
  '/',
  ' ',
  'é',
  '<|im_end|>',
)
const text = fc.array(word, { maxLength: 400 }).map((words) => words.join(' '))
const files = fc.record({ 'AGENTS.md': text, 'SOUL.md': text, 'USER.md': text, 'MEMORY.md': text, 'TOOLS.md': text })
const strategies = fc.constantFrom('head-tail', 'newest', 'sections')

describe('the total budget', () => {
  it('changes nothing where all fits', () => {
    const free = build(workspace, {})
    const roomy = build(workspace, { total: { chars: free.chars }, reserve: 0 })
    expect(roomy.text).toBe(free.text)
    expect(roomy.budget).toEqual({
      unit: 'chars',
      limit: free.chars,
      used: free.chars,
      reserve: 0,
      exact: true,
    })
    const tight = build(workspace, { total: { chars: free.chars - 1 }, reserve: 0 })
    expect(tight.chars).toBeLessThan(free.chars)
  })

  it('never goes over a total in chars, whatever the files hold', () => {
    fc.assert(
      fc.property(
        files,
        fc.nat(6_000),
        strategies,
        fc.constantFrom('tag', 'heading'),
        (texts, extra, strategy, delimiter) => {
          const perFile = { 'MEMORY.md': { strategy }, 'AGENTS.md': { strategy } } as const
          const least = build({}, {}, {}, { delimiter }).chars
          const total = least + 200 + extra
          const prompt = build(texts, { perFile, total: { chars: total } }, {}, { delimiter })
          expect(prompt.chars).toBeLessThanOrEqual(total)
          expect(prompt.text).toBe(prompt.sections.map((section) => section.text).join(''))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('never goes over a total in exact tokens', () => {
    fc.assert(
      fc.property(files, fc.nat(2_000), (texts, extra) => {
        const total = 600 + extra
        const prompt = build(texts, { total: { tokens: total, counter } })
        expect(counter.count(prompt.text)).toBeLessThanOrEqual(total)
        expect(prompt.budget).toMatchObject({ unit: 'tokens', exact: true, counter: 'o200k_base' })
        expect(prompt.budget?.used).toBe(counter.count(prompt.text))
      }),
      { numRuns: 100 },
    )
  })

  it.each([1_500, 2_500, 4_000, 8_000])('keeps to %i chars and fills them', (chars) => {
    const prompt = build(workspace, { total: { chars }, reserve: 0 })
    expect(prompt.chars).toBeLessThanOrEqual(chars)
    expect(prompt.chars).toBeGreaterThan(chars * 0.93)
  })

  it('asks a counter whose counts do not add up about the whole, and keeps to what it says', () => {
    const asked: string[] = []
    // Each further line costs more than the one before.
    const dear: TokenCounter = {
      name: 'dear',
      exact: true,
      count: (given) => {
        asked.push(given)
        return Math.ceil(given.length / 4 + (given.length / 1_000) ** 2)
      },
    }
    const prompt = build(workspace, { total: { tokens: 1_500, counter: dear } })
    expect(asked).toContain(prompt.text)
    expect(dear.count(prompt.text)).toBeLessThanOrEqual(1_500)
  })

  it('lets notes yield first, then memory, and the persona last', () => {
    const order = ['memory/2026-02-16.md', 'MEMORY.md', 'USER.md', 'TOOLS.md', 'AGENTS.md', 'IDENTITY.md', 'SOUL.md']
    const first = { truncated: new Map<string, number>(), dropped: new Map<string, number>() }
    for (let chars = 26_000; chars >= 1_000; chars -= 150) {
      for (const { path, state } of build(workspace, { total: { chars }, reserve: 0 }).sources) {
        const seen = state === 'truncated' || state === 'dropped' ? first[state] : undefined
        if (seen !== undefined && !seen.has(path)) seen.set(path, chars)
      }
    }
    for (const seen of Object.values(first)) {
      const totals = order.flatMap((path) => seen.get(path) ?? [])
      expect(totals.length).toBeGreaterThan(3)
      expect(totals).toEqual([...totals].sort((a, b) => b - a))
    }
  })

  it('says what was cut and dropped, and how full the total is', () => {
    const { diagnostics, sources } = build(workspace, { total: { chars: 2_200 }, reserve: 0 })
    const dropped = diagnostics.filter(({ code }) => code === 'section-dropped').map(({ path }) => path)
    expect(dropped).toContain('memory/2026-02-16.md')
    expect(
      sources
        .filter(({ state }) => state === 'dropped')
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...dropped].sort())
    const cut = diagnostics.find(({ code, path }) => code === 'file-truncated' && path === 'AGENTS.md')
    expect(cut?.message).toMatch(
      /^AGENTS\.md has \d+ chars and room for \d+ in the total budget: the first \d+ and the last \d+ are shown\.$/,
    )
    expect(diagnostics.find(({ code }) => code === 'total-near')?.message).toMatch(
      /^The prompt has 2\d+ chars, \d+ % of its total of 2200\.$/,
    )
    expect(diagnostics.find(({ code }) => code === 'section-dropped')?.message).toMatch(
      /is dropped: the total budget has no room for its least\.$/,
    )
  })

  it('keeps the newest lines of a memory that is cut', () => {
    for (const tokens of [1_500, 2_500, 4_000]) {
      const grown = { ...workspace, 'MEMORY.md': `${workspace['MEMORY.md']}- the newest line of all\n` }
      const prompt = build(grown, { total: { tokens, counter } })
      expect(prompt.text).toContain('- the newest line of all\n')
    }
  })

  it('moves no earlier cut while memory grows by 50 lines near the limit', () => {
    const before = new Set<string>()
    let memory = workspace['MEMORY.md']
    for (let line = 0; line < 50; line += 1) {
      memory += `- line ${line} that was added to memory later on\n`
      const { sections } = build({ ...workspace, 'MEMORY.md': memory }, { total: { tokens: 3_000, counter } })
      const place = sections.findIndex(({ source }) => source === 'MEMORY.md')
      expect(place).toBeGreaterThan(3)
      before.add(
        sections
          .slice(0, place)
          .map((section) => section.text)
          .join(''),
      )
    }
    expect(before.size).toBe(1)
  })

  it.each<[string, Record<string, string>, AgentOptions['budget']]>([
    ['escapes', { 'MEMORY.md': '<s>'.repeat(5_000) }, { perFile: { 'MEMORY.md': 30_000 } }],
    [
      'escapes of the end alone',
      { 'MEMORY.md': '<s>'.repeat(5_000) },
      { perFile: { 'MEMORY.md': { max: 30_000, strategy: 'newest' } } },
    ],
    ['escapes in two files', { 'SOUL.md': '<s>'.repeat(4_000), 'MEMORY.md': '- a fact\n'.repeat(2_000) }, {}],
    [
      'escapes here and there',
      { 'MEMORY.md': `${'words '.repeat(1_500)}${'[INST] '.repeat(300)}${'words '.repeat(1_500)}` },
      {},
    ],
    [
      'whole sections that leave room',
      {
        'AGENTS.md': `# Short\n\nOne line.\n\n# Long\n\n${'- a rule of the house.\n'.repeat(600)}`,
        'MEMORY.md': '- a fact.\n'.repeat(1_000),
      },
      { perFile: { 'AGENTS.md': { strategy: 'sections' } } },
    ],
  ])('uses nine tenths of the room in spite of %s', (_what, texts, more) => {
    for (const chars of [6_000, 8_000]) {
      const { budget } = build(texts, { total: { chars }, reserve: 0, ...more })
      expect(budget?.used).toBeGreaterThan(chars * 0.9)
      expect(budget?.used).toBeLessThanOrEqual(chars)
    }
  })

  it.each([{}, { stepped: true }, { stepped: true, boundary: 'line' }, { strategy: 'newest' }] as const)(
    'moves no earlier cut at any total, cut as %j',
    (cut) => {
      for (const unit of ['chars', 'tokens'] as const) {
        for (let amount = 2_000; amount <= 3_000; amount += 250) {
          const total = unit === 'chars' ? { chars: amount } : { tokens: Math.round(amount / 3.7), counter }
          const before = new Set<string>()
          for (let line = 0; line < 50; line += 1) {
            const memory = Array.from({ length: 100 + line }, (_, index) => `- fact number ${index} is still open.\n`)
            const texts = { 'SOUL.md': '- a trait of hers.\n'.repeat(300), 'MEMORY.md': memory.join('') }
            const { sections } = build(texts, { total, reserve: 0, perFile: { 'MEMORY.md': cut } })
            const place = sections.findIndex(({ source }) => source === 'MEMORY.md')
            before.add(
              sections
                .slice(0, place)
                .map((section) => section.text)
                .join(''),
            )
          }
          expect(before.size).toBe(1)
        }
      }
    },
  )

  it('gives no room to a text that says nothing', () => {
    const silent = { id: 'silent', stability: 'turn', render: () => [{ text: '\n'.repeat(3_000) }] } as const
    const layers = insertBefore(presets.default.layers, 'hints', silent)
    const texts = { 'MEMORY.md': long(150) }
    const free = build(texts, {}, {}, { layers })
    const { sections, budget } = build(texts, { total: { chars: free.chars - 1 }, reserve: 0 }, {}, { layers })
    expect(sections.map(({ id }) => id)).not.toContain('silent')
    expect(budget?.used).toBeGreaterThan(free.chars * 0.9)
  })

  it('accounts for a file by all sections that show it', () => {
    const layer: Layer = {
      id: 'two',
      stability: 'workspace',
      documents: () => [{ path: 'X.md', layer: 'two', audience: { private: false } }],
      render: ({ documents: [file] }) => [
        { id: 'a', file, text: 'first '.repeat(400), priority: 1 },
        { id: 'b', file, text: 'second', priority: 5 },
      ],
    }
    const sourceAt = (chars: number) =>
      build({ 'X.md': 'hello' }, { total: { chars }, reserve: 0 }, {}, { layers: [layer] }).sources[0]
    expect(sourceAt(3_000)).toMatchObject({ state: 'included', rawChars: 2_406, keptChars: 2_406 })
    const cut = sourceAt(800)
    expect(cut).toMatchObject({ state: 'truncated', rawChars: 2_406 })
    expect(cut?.keptChars).toBeGreaterThan(6)
    expect(sourceAt(100)).toMatchObject({ state: 'truncated', rawChars: 2_406, keptChars: 6 })
  })

  it.each([
    ['the end at lines', { strategy: 'newest', boundary: 'line' }, { chars: 24_000 }],
    ['the end at lines, in tokens', { strategy: 'newest', boundary: 'line' }, { tokens: 6_000, counter }],
    ['the end', { strategy: 'newest' }, { chars: 24_000 }],
    ['both ends at lines', { boundary: 'line' }, { chars: 24_000 }],
    ['both ends, in tokens', {}, { tokens: 6_000, counter }],
  ] as const)('moves the cut of a stepped file by steps under a total as well: %s', (_what, cut, total) => {
    let memory = long(1_500, 'memory')
    let before = ''
    let moved = -1
    const { 'memory/2026-02-16.md': _, ...rest } = workspace
    for (let line = 0; line <= 40; line += 1) {
      const budget = { total, perFile: { 'MEMORY.md': { max: 100_000, stepped: true, ...cut } } }
      const { text } = build({ ...rest, 'MEMORY.md': memory }, budget)
      const shown = text.slice(0, text.indexOf('</file>', text.indexOf('<file name="MEMORY.md">')))
      if (!shown.startsWith(before.trimEnd())) moved += 1
      else if (line === 0) moved = 0
      before = shown
      memory += `- line ${line} that was added to memory later on\n`
    }
    // 40 lines are some 1,900 chars; a step is 5 % of what memory has, more than 150.
    expect(moved).toBeLessThanOrEqual(14)
    expect(before).toContain('[')
  })

  it('does not reshape the prefix for a longer hint within the reserve', () => {
    const total = { chars: 9_000 }
    const prefix = (hint: string) => {
      const { sections } = build(workspace, { total }, { hints: [hint] })
      return sections
        .filter(({ stability }) => stability === 'static' || stability === 'workspace')
        .map((section) => section.text)
        .join('')
    }
    expect(prefix('x'.repeat(1_000))).toBe(prefix('short'))
    expect(prefix('x'.repeat(2_500))).not.toBe(prefix('short'))
  })

  it('cuts the text of a layer as well, at line ends, unless that never yields', () => {
    const recall: Layer = {
      id: 'recall',
      stability: 'turn',
      render: () => [{ text: lines(200, 'recalled').join('\n'), priority: 5 }],
    }
    const layers = insertBefore(presets.default.layers, 'hints', recall)
    const { text, diagnostics, sections } = build({ 'SOUL.md': 'Dry.' }, { total: { chars: 3_000 } }, {}, { layers })
    expect(diagnostics.map(({ code }) => code)).toContain('section-truncated')
    expect(text).toMatch(/- recalled number \d+ is still open\.\n\n\[\.\.\.content truncated/)
    expect(sections.find(({ id }) => id === 'recall')?.priority).toBe(5)
    const firm = insertBefore(presets.default.layers, 'hints', {
      ...recall,
      render: () => [{ text: 'x'.repeat(4_000), priority: Infinity }],
    })
    expect(() => build({}, { total: { chars: 3_000 } }, {}, { layers: firm })).toThrow(
      /over the total of 3000: recall 4002/,
    )
  })

  it('names the parts that never yield where they have no room', () => {
    const options = { base: 'B'.repeat(900), rules: 'R'.repeat(300) }
    const error = thrown(() => build(workspace, { total: { chars: 1_000 } }, {}, options))
    expect(error).toMatchObject({
      code: 'budget-too-small',
      message: expect.stringMatching(
        /^The parts that never yield have \d+ chars, \d+ over the total of 1000: base 902, /,
      ),
      data: { unit: 'chars', limit: 1_000, exact: true },
    })
    const { needed, over } = (error as { data: { needed: number; over: number } }).data
    expect(needed - over).toBe(1_000)
  })

  it('counts the definitions of tools where it is asked to', () => {
    const tools = [
      {
        name: 'look',
        description: 'Look it up',
        inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
      },
    ]
    const definition = `[${JSON.stringify({ name: 'look', description: 'Look it up', input_schema: tools[0]?.inputSchema })}]`
    const without = build(workspace, { total: { chars: 5_000 }, reserve: 0 }, { tools })
    const counted = build(workspace, { total: { chars: 5_000, tools: true }, reserve: 0 }, { tools })
    expect(counted.chars + definition.length).toBe(counted.budget?.used)
    expect(counted.budget?.used).toBeLessThanOrEqual(5_000)
    expect(counted.chars).toBeLessThan(without.chars)
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const odd = build({}, { total: { chars: 5_000, tools: true } }, { tools: [{ name: 'odd', inputSchema: cyclic }] })
    expect(odd.budget?.used).toBe(odd.chars + '[{"name":"odd"}]'.length)
  })

  it.each<[string, (given: string) => unknown, RegExp]>([
    ['throws', () => fail(), /the token counter bad: threw: out of order/],
    ['gives NaN', () => Number.NaN, /expected a whole number of tokens, 0 or more, got NaN/],
    ['gives less than nothing', () => -1, /got -1/],
    ['gives parts of tokens', () => 1.5, /got 1\.5/],
    ['gives no number', () => 'many', /got "many"/],
  ])('fits by estimate where a counter %s', (_what, count, message) => {
    const bad = { name: 'bad', exact: true, count } as TokenCounter
    const prompt = build(workspace, { total: { tokens: 2_000, counter: bad } })
    expect(prompt.diagnostics.find(({ code }) => code === 'counter-failed')?.message).toMatch(message)
    expect(prompt.budget).toMatchObject({ exact: false, counter: 'estimate' })
    expect(prompt.budget?.used).toBeLessThanOrEqual(2_000)
  })

  it.each([-1, 1.5, Number.NaN, '4000'])('refuses a total of %s', (chars) => {
    expect(() => build({}, { total: { chars } } as AgentOptions['budget'])).toThrow(/budget\.total/)
    expect(() => build({}, { total: { tokens: chars } } as AgentOptions['budget'])).toThrow(/budget\.total/)
  })

  it('gives the same bytes every time', () => {
    const texts = new Set(
      Array.from({ length: 20 }, () => build(workspace, { total: { tokens: 2_000, counter } }).text),
    )
    expect(texts.size).toBe(1)
  })
})

function fail(): never {
  throw new Error('out of order')
}

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}
