import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CutOptions, cutText, joinCut } from '../../src/budget/cut.js'
import { truncationMarker } from '../../src/budget/marker.js'
import { keptBy, truncate } from '../../src/budget/truncate.js'
import { closersFor, headingsOf } from '../../src/markdown/structure.js'
import { textsByLocale } from '../../src/texts/index.js'

const strategies = ['head-tail', 'newest', 'sections'] as const
const boundaries = ['exact', 'line'] as const

const pieces = fc.constantFrom(
  ...[
    'a',
    ' ',
    '中',
    '\n',
    '\n',
    '\r\n',
    '\n# a\n',
    '\n## 标题 b\n',
    '\n### ',
    '\nc\n---\n',
    '\n```\n',
    '\n- ',
    '\n> ',
  ],
  ...['👩‍👩‍👧', '🇩🇪', 'é', '👍🏽', 'نَ', 'नि', '각', '1️⃣', 'ก็', '\u0301', '\u200d'],
)
const text = fc.array(pieces, { maxLength: 150, size: 'max' }).map((parts) => parts.join(''))
const how = fc.record({
  strategy: fc.constantFrom(...strategies),
  boundary: fc.constantFrom(...boundaries),
  stepped: fc.boolean(),
  locale: fc.constantFrom('en' as const, 'zh-CN' as const),
  readTool: fc.constantFrom(undefined, 'read'),
})
const shares = fc.constantFrom(
  {},
  { head: 0.7, tail: 0.3 },
  { head: 0, tail: 1 },
  { head: 1, tail: 0 },
  { head: 0, tail: 0 },
)

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const boundariesOf = (input: string) =>
  new Set([0, input.length, ...[...segmenter.segment(input)].map(({ index }) => index)])

function optionsFor(input: string, max: number, rest: Partial<CutOptions> = {}): CutOptions {
  const { stepped = false } = rest
  const marker = truncationMarker(textsByLocale.en, { total: input.length, stepped })
  return { max, head: 0.7, tail: 0.2, strategy: 'head-tail', marker, compactMarker: '[...]', ...rest }
}

describe('laws of every cut', () => {
  it('is never longer than the cap, for every cap from 0 up', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(text, how, shares, (input, options, ratios) => {
        for (let max = 0; max <= input.length + 1; max += 1) {
          const result = truncate(input, { ...options, ...ratios, max, name: 'SOUL.md' })
          expect(result.text.length).toBeLessThanOrEqual(max)
          expect(result.truncated).toBe(input.length > max)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('changes nothing the second time, and says the same every time', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 400 }), how, (input, max, options) => {
        const result = truncate(input, { ...options, max })
        expect(truncate(result.text, { ...options, max }).text).toBe(result.text)
        expect(truncate(input, { ...options, max })).toEqual(result)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps ends word for word, splits no grapheme of them, and shows nothing twice', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 400 }), how, shares, (input, max, options, ratios) => {
        const cut = cutText(input, optionsFor(input, max, { ...options, ...ratios }))
        if (cut === undefined || cut.leftOut !== undefined) return
        const allowed = boundariesOf(input)
        expect(input.startsWith(cut.head) && input.endsWith(cut.tail)).toBe(true)
        expect(allowed.has(cut.head.length) && allowed.has(input.length - cut.tail.length)).toBe(true)
        expect(cut.head.length + cut.tail.length).toBeLessThanOrEqual(input.length)
        expect(keptBy(cut)).toEqual({ head: cut.head.length, tail: cut.tail.length })
      }),
      { numRuns: 3_000 },
    )
  })

  it('splits no grapheme between the sections it keeps', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 300 }), fc.boolean(), (input, max, stepped) => {
        const cut = cutText(input, optionsFor(input, max, { strategy: 'sections', stepped }))
        if (cut?.leftOut === undefined) return
        const graphemes = new Set([...segmenter.segment(input)].map(({ segment }) => segment))
        // What the library puts between sections is this alone.
        for (const piece of ['\n', '[', '.', ']']) graphemes.add(piece)
        expect([...segmenter.segment(cut.head)].filter(({ segment }) => !graphemes.has(segment))).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })

  it('leaves nothing open that closers for either end do not close', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 400 }), how, (input, max, options) => {
        const cut = cutText(input, optionsFor(input, max, options))
        if (cut === undefined) return
        for (const end of [cut.head, cut.tail]) {
          const closed = `${end}\n${closersFor(end)}\n\n# behind it`
          expect(headingsOf(closed).at(-1)?.title).toBe('behind it')
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a cut at line ends', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')

  it('ends the head with a line and starts the tail with one', () => {
    const { head, tail, marker } = cutText(lines, optionsFor(lines, 200, { boundary: 'line' })) ?? {}
    expect(head?.split('\n').at(-1)).toBe('line 17')
    expect(tail).toBe('line 35\nline 36\nline 37\nline 38\nline 39')
    expect(marker).toBe('[...]')
  })

  it('takes the line that ends where the room does', () => {
    const input = `${'x'.repeat(69)}\n${'y'.repeat(9)}\n${'z'.repeat(100)}\n${'w'.repeat(19)}\n`
    const cut = cutText(input, optionsFor(input, 100, { boundary: 'line' }))
    expect(cut?.head).toBe('x'.repeat(69))
    expect(cut?.tail).toBe(`${'w'.repeat(19)}\n`)
    const exactly = `${'x'.repeat(70)}\n${'y'.repeat(200)}`
    expect(cutText(exactly, optionsFor(exactly, 100, { boundary: 'line' }))?.head).toBe('x'.repeat(70))
  })

  it('knows both line endings', () => {
    const windows = lines.replaceAll('\n', '\r\n')
    const cut = cutText(windows, optionsFor(windows, 200, { boundary: 'line' }))
    expect(cut?.head.endsWith('line 15')).toBe(true)
    expect(cut?.tail.startsWith('line 36\r\n')).toBe(true)
  })

  it('moves the start of the newest lines, too', () => {
    const { text: shown } = truncate(lines, { max: 200, strategy: 'newest', boundary: 'line' })
    expect(shown.split('\n')[3]).toMatch(/^line \d+$/)
    expect(shown.endsWith('line 38\nline 39')).toBe(true)
  })

  it.each(strategies)('cuts inside a line that would cost half of an end (%s)', (strategy) => {
    const endless = `a\n${'x'.repeat(5_000)}\nb`
    const { text: shown } = truncate(endless, { max: 1_000, boundary: 'line', strategy })
    expect(shown.length).toBeGreaterThan(850)
  })

  it('keeps two lines apart where no marker does', () => {
    const input = `${'a\n'.repeat(6)}${'b\n'.repeat(50)}`
    expect(truncate(input, { max: 11, boundary: 'line' }).text).toBe('a\na\na\na\nb\n')
  })

  it('starts and ends with lines wherever it can', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 400 }), fc.boolean(), (input, max, stepped) => {
        const cut = cutText(input, optionsFor(input, max, { boundary: 'line', stepped }))
        if (cut === undefined) return
        const [end, start] = [cut.head.length, input.length - cut.tail.length]
        const atEnd = end === 0 || /^\r?\n/.test(input.slice(end)) || input[end - 1] === '\n'
        if (!atEnd) expect(cut.head.lastIndexOf('\n')).toBeLessThan(end / 2)
        const atStart = cut.tail === '' || start === 0 || input[start - 1] === '\n'
        if (!atStart) expect(input.slice(start, start + Math.floor(max / 10))).not.toContain('\n')
      }),
      { numRuns: 3_000 },
    )
  })

  it('trusts no line ending on the other side of the gap', () => {
    const behind = `${'x'.repeat(40)}\n${'y'.repeat(19)}\n${'z'.repeat(39)}`
    expect(cutText(behind, optionsFor(behind, 90, { boundary: 'line', gap: 60 }))?.head).toBe('x'.repeat(40))
    const ends = `${'x'.repeat(79)}\n${'y'.repeat(5)}\n${'z'.repeat(14)}`
    const cut = cutText(ends, optionsFor(ends, 100, { boundary: 'line', gap: 80, total: 10_000 }))
    expect(cut?.tail).toBe('z'.repeat(14))
  })
})

describe('a stepped cut', () => {
  const line = fc.stringMatching(/^[a-z ]{0,30}$/).map((words) => `${words}\n`)
  const growing = fc.record({
    max: fc.integer({ min: 300, max: 3_000 }),
    base: fc.array(fc.oneof(line, fc.constantFrom('👩‍👩‍👧 中文\n', 'é\n')), {
      minLength: 200,
      maxLength: 300,
      size: 'max',
    }),
    added: fc.array(line, { minLength: 50, maxLength: 50, size: 'max' }),
    strategy: fc.constantFrom('head-tail' as const, 'newest' as const),
    boundary: fc.constantFrom(...boundaries),
    locale: fc.constantFrom('en' as const, 'zh-CN' as const),
  })

  it('grows at its end alone, but for one step in so many appended units', () => {
    fc.assert(
      fc.property(growing, ({ max, base, added, ...rest }) => {
        let input = base.join('').repeat(2)
        fc.pre(input.length > max)
        let shown = truncate(input, { max, stepped: true, ...rest }).text
        let moves = 0
        for (const next of added) {
          input += next
          const longer = truncate(input, { max, stepped: true, ...rest }).text
          if (!longer.startsWith(shown)) moves += 1
          shown = longer
        }
        const appended = added.join('').length
        expect(moves).toBeLessThanOrEqual(Math.ceil(appended / Math.floor(max * 0.05)) + 1)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps 15 to 20 % of the cap of the end', () => {
    for (let length = 1_001; length < 1_200; length += 1) {
      const { tail } = truncate('x'.repeat(length), { max: 1_000, stepped: true }).kept
      expect(tail).toBeGreaterThan(150)
      expect(tail).toBeLessThanOrEqual(200)
      expect((length - tail) % 50).toBe(0)
    }
  })

  it('counts its steps in the file where only its two ends are at hand', () => {
    const file = Array.from({ length: 3_000 }, (_, index) => `line ${index}\n`).join('')
    const shownOf = (length: number) => {
      const ends = file.slice(0, 2_000) + file.slice(length - 2_000, length)
      const rest = { stepped: true, gap: 2_000, total: length, boundary: 'line' } as const
      const cut = cutText(ends, optionsFor(ends, 1_000, rest))
      return cut === undefined ? '' : joinCut(cut)
    }
    const lengths = Array.from({ length: 200 }, (_, index) => 20_000 + index)
    const moves = lengths.filter((length) => !shownOf(length + 1).startsWith(shownOf(length)))
    expect(moves.length).toBe(4)
  })

  it('never takes all of a small end', () => {
    for (let length = 1_001; length < 1_100; length += 1) {
      expect(truncate('x'.repeat(length), { max: 1_000, tail: 0.02, stepped: true }).kept.tail).toBeGreaterThan(0)
    }
  })

  it.each([
    ['head-tail', 'en', {}, '(truncated: kept the first 700 chars and the end)'],
    ['head-tail', 'zh-CN', {}, '（截断：保留了开头 700 字符与结尾）'],
    ['head-tail', 'en', { tail: 0 }, '(truncated: kept the first 700 chars)'],
    ['newest', 'en', {}, '(truncated: kept the end)'],
    ['newest', 'zh-CN', {}, '（截断：保留了结尾）'],
  ] as const)('says what it kept and not of how much (%s, %s)', (strategy, locale, rest, sizes) => {
    const input = 'x'.repeat(5_000)
    expect(truncate(input, { max: 1_000, stepped: true, strategy, locale, ...rest }).text).toContain(`\n${sizes}`)
  })
})
