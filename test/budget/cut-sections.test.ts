import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText } from '../../src/budget/cut.js'
import { truncationMarker } from '../../src/budget/marker.js'
import { truncate } from '../../src/budget/truncate.js'
import { headingsOf } from '../../src/markdown/structure.js'
import { textsByLocale } from '../../src/texts/index.js'

const agents = [
  'Read this first.\n\n',
  '# Agents\n\nBe kind.\n\n',
  `## Git\n\n${'Commit. '.repeat(60)}\n\n`,
  '## Tests\n\nRun them.\n\n',
  `Deploy\n------\n\n${'Ship. '.repeat(80)}\n\n`,
  '## Notes\n\n```sh\n# no heading\n```\n',
].join('')

const sectionsOf = (input: string, max: number, rest = {}) => truncate(input, { max, strategy: 'sections', ...rest })

describe('a cut by sections', () => {
  it('keeps all headings and the texts that fit whole, in order, and names those left out', () => {
    expect(sectionsOf(agents, 350, { name: 'AGENTS.md', readTool: 'read' })).toEqual({
      text: [
        'Read this first.\n\n# Agents\n\nBe kind.\n\n## Git\n[...]\n\n## Tests\n\nRun them.\n\nDeploy\n------\n[...]\n\n',
        '## Notes\n\n```sh\n# no heading\n```\n\n',
        '[...sections left out: "Git", "Deploy"; use the read tool to see all of AGENTS.md...]\n',
        '(truncated: kept 110+0 chars of 1079)',
      ].join(''),
      truncated: true,
      kept: { head: 110, tail: 0 },
      total: 1_079,
    })
  })

  it('speaks the language of the prompt', () => {
    const chinese = { name: 'AGENTS.md', readTool: 'read', locale: 'zh-CN' }
    const { text } = sectionsOf(agents, 350, chinese)
    expect(text).toContain(
      '\n\n[...以下章节被省略：“Git”、“Deploy”，完整内容请使用 read 工具查看 AGENTS.md...]\n（截断：',
    )
    expect(sectionsOf(agents, 350, { locale: 'zh-CN' }).text).toContain('[...以下章节被省略：“Git”、“Deploy”...]')
  })

  it('gives the texts their room in order', () => {
    const input = Array.from({ length: 10 }, (_, index) => `# ${index}\n\n${`${index}`.repeat(200)}\n\n`).join('')
    const { text } = sectionsOf(input, 1_000)
    for (let index = 0; index < 10; index += 1) expect(text.includes(`${index}`.repeat(200))).toBe(index < 3)
    expect(text).toContain('[...sections left out: "3", "4", "5", "6", "7", "8", "9"...]')
  })

  it('gives headings half of the room, higher ones first, where not all fit', () => {
    const entries = Array.from({ length: 200 }, (_, index) => `### Entry ${index}\n\nIt was day ${index}.\n\n`)
    const input = ['# Log\n\n', ...entries, '# After it\n\nThe end.\n', ...entries.slice(0, 5)].join('')
    const { text, kept } = sectionsOf(input, 1_000)
    expect(text).toContain('### Entry 0\n\nIt was day 0.\n')
    expect(text).toContain('# After it\n\nThe end.\n')
    expect(text).toMatch(/\[\.\.\.sections left out: "Entry \d+", .* and 1\d\d more\.\.\.\]/)
    expect(kept.head).toBeGreaterThan(600)
  })

  it('names at most 8, each on one short line that opens nothing', () => {
    const titles = [
      'A very long title that goes on and on and on until nobody reads it',
      '`a` <b> "c" [d]',
      ...Array.from({ length: 9 }, (_, index) => `T${index}`),
    ]
    const input = `short\n\n${titles.map((title) => `# ${title}\n${'x '.repeat(1_000)}\n`).join('')}`
    const marker = sectionsOf(input, 1_500).text.split('\n').at(-2)
    expect(marker).toBe(
      '[...sections left out: "A very long title that goes on and on a…", "a b \'c\' d", "T0", "T1", "T2", "T3", "T4", "T5" and 3 more...]',
    )
  })

  it('names as many as fit, then none, then says it short, then not at all', () => {
    const left = (title: string) => `# ${title}\n${'x '.repeat(500)}\n`
    const input = `${'short '.repeat(20)}\n\n${left('First')}${left('Second longer name')}`
    const firstOfMarker = (max: number) => sectionsOf(input, max).text.split('\n\n').at(-1)?.split('\n')[0]
    expect(firstOfMarker(260)).toBe('[...sections left out: "First", "Second longer name"...]')
    expect(firstOfMarker(250)).toBe('[...sections left out: "First" and 1 more...]')
    expect(firstOfMarker(235)).toBe('[...content truncated...]')
    expect(firstOfMarker(200)).toBe('[...]')
    expect(sectionsOf(`${'a'.repeat(20)}\n${left('b'.repeat(50))}`, 24).text).toBe('a'.repeat(20))
  })

  it('names sections of one title once, and counts each', () => {
    const input = `short\n${`# Entry\n${'x '.repeat(300)}\n`.repeat(40)}`
    expect(sectionsOf(input, 1_000).text).toContain('\n[...sections left out: "Entry" and 39 more...]\n')
  })

  it('gives no room to a marker that outweighs the sections', () => {
    const input = `short\n\n# First\n${'x '.repeat(500)}\n# Second\n${'x '.repeat(500)}\n`
    expect(sectionsOf(input, 95).text).toBe('short\n\n# First\n[...]\n\n# Second\n[...]\n\n[...]')
  })

  it('says nothing of sizes where it is stepped', () => {
    const { text } = sectionsOf(agents, 350, { stepped: true })
    expect(text.endsWith('\n\n[...sections left out: "Git", "Deploy"...]')).toBe(true)
  })

  it.each([
    ['no heading', 'A line of text.\n'.repeat(100)],
    ['no section that fits', `# One\n${'First line.\n'.repeat(100)}# Two\n${'Second line.\n'.repeat(100)}`],
    ['headings alone', '# One\n\n\n# Two\n\n'.repeat(100)],
  ])('shows both ends at line ends where there is %s', (_, input) => {
    const expected = truncate(input, { max: 500, boundary: 'line' })
    expect(sectionsOf(input, 500)).toEqual(expected)
    expect(expected.kept.tail).toBeGreaterThan(0)
  })

  it('shows both ends of a file whose middle is not there', () => {
    const marker = truncationMarker(textsByLocale.en, { total: 10_000 })
    const options = { max: 500, head: 0.7, tail: 0.2, marker, compactMarker: '[...]', gap: 400, total: 10_000 }
    const cut = cutText(agents, { ...options, strategy: 'sections' })
    expect(cut).toEqual(cutText(agents, { ...options, strategy: 'head-tail', boundary: 'line' }))
  })

  const long = `# ${'y'.repeat(300)}\n`

  it('takes a heading out of the list and the paragraph before it', () => {
    const { text } = sectionsOf(`- item\n${long}   ## Kept\nA\n${long}B\n=\nC\n`, 80)
    expect(headingsOf(text).map(({ title }) => title)).toEqual(['Kept', 'B'])
    expect(text).toMatch(/^- item\n\n## Kept\nA\n\nB\n=\nC\n\n\[/)
  })

  it('keeps a paragraph and a heading by its underline apart, whatever the line ending', () => {
    const { text } = sectionsOf(`a\r${long}B\n=\nC\n`, 60)
    expect(headingsOf(text).map(({ title }) => title)).toEqual(['B'])
  })

  it('leaves the indent that a mark stands on', () => {
    expect(sectionsOf(`a\n${long} \u0301B\n=\nC\n`, 60).text).toContain('\n \u0301B\n=\nC')
  })
})

describe('laws of a cut by sections', () => {
  const line = fc.constantFrom(
    ...['text', 'more text', '', '', '- item', '  - inner', '> quote', '1. one', '    code', '\tcode', '***', '|a|b|'],
    ...['```', '~~~', '```js', '<div>', '</div>', '<!-- c -->', '<!--', '-->', '<pre>', '</pre>', '`<!--`', '- ```'],
  )
  const heading = fc.record({
    level: fc.integer({ min: 1, max: 6 }),
    indent: fc.constantFrom('', '', '', ' ', '   '),
    setext: fc.boolean(),
  })
  const section = fc.tuple(heading, fc.array(line, { maxLength: 6 }))
  const document = fc
    .tuple(fc.array(line, { maxLength: 3 }), fc.array(section, { minLength: 1, maxLength: 12, size: 'max' }))
    .map(([above, sections]) => {
      const below = sections.map(([{ level, indent, setext }, lines], index) => {
        const first = setext ? `${indent}T${index}\n${'=-'[level % 2]}` : `${indent}${'#'.repeat(level)} T${index}`
        return [first, ...lines].join('\n')
      })
      return `${[...above, ...below].join('\n')}\n`
    })

  /** Titles with what stands below them, trimmed. */
  const outline = (input: string) => {
    const headings = headingsOf(input)
    return headings.map(({ title, level, end }, index) => {
      const body = input.slice(end, headings[index + 1]?.start ?? input.length).trim()
      return { title, level, body }
    })
  }
  const marker = truncationMarker(textsByLocale.en, { total: 0 })
  const cutOf = (input: string, max: number) =>
    cutText(input, { max, head: 0.7, tail: 0.2, strategy: 'sections', marker, compactMarker: '[...]' })

  it('shows each section whole, its heading alone above the sign, or not at all', () => {
    let cuts = 0
    fc.assert(
      fc.property(document, fc.nat({ max: 300 }), (input, max) => {
        const cut = cutOf(input, max)
        if (cut?.leftOut === undefined) return
        cuts += 1
        const before = outline(input)
        const shown = outline(cut.head)
        const places = shown.map(({ title }) => before.findIndex((other) => other.title === title))
        expect(places).toEqual([...places].sort((a, b) => a - b))
        shown.forEach(({ level, body }, index) => {
          const original = before[places[index] ?? -1]
          expect(level).toBe(original?.level)
          expect([original?.body, '[...]']).toContain(body)
        })
        const whole = before.filter(({ title, body }) => shown.some((it) => it.title === title && it.body === body))
        expect(cut.leftOut.count).toBe(before.length - whole.length)
      }),
      { numRuns: 5_000 },
    )
    expect(cuts).toBeGreaterThan(500)
  })

  it('counts what it keeps word for word', () => {
    fc.assert(
      fc.property(document, fc.nat({ max: 300 }), (input, max) => {
        const cut = cutOf(input, max)
        if (cut?.kept === undefined) return
        const marks = (text: string) => text.replaceAll('[...]', '').replace(/\s/g, '').length
        expect(cut.kept.head).toBeLessThanOrEqual(cut.head.length)
        expect(cut.kept.head).toBeGreaterThanOrEqual(marks(cut.head))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['headings', '# a\n'.repeat(2_500_000)],
    ['sections', '# heading\nA text.\n'.repeat(100_000)],
    ['long sections', `# heading\n${'A text.\n'.repeat(100)}`.repeat(12_000)],
    ['one heading', `# ${'a '.repeat(5_000_000)}\nA text.\n`],
    ['newlines', `# a\nb\n${'\n'.repeat(10_000_000)}`],
    ['marks', `# a\nb\n# ${'\u0301'.repeat(5_000_000)}\n`],
  ])('10 MB of %s come to an end soon', { timeout: 60_000 }, (_, input) => {
    expect(sectionsOf(input, 20_000).text.length).toBeLessThanOrEqual(20_000)
    expect(sectionsOf(input, input.length - 1).text.length).toBeLessThan(input.length)
  })
})
