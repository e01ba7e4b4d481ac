import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { truncate } from '../../src/budget/truncate.js'
import { PromptError } from '../../src/errors.js'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

function boundaries(text: string): Set<number> {
  return new Set([0, text.length, ...[...segmenter.segment(text)].map(({ index }) => index)])
}

describe('truncate', () => {
  it('leaves a text of exactly its cap alone and cuts one more', () => {
    const fits = 'x'.repeat(20_000)
    expect(truncate(fits)).toEqual({ text: fits, truncated: false, kept: { head: 20_000, tail: 0 }, total: 20_000 })
    expect(truncate(`${fits}x`).truncated).toBe(true)
  })

  it('keeps 14,000 and 4,000 of 30,000, verbatim, around the two lines of the marker', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('')
    const result = truncate(text, { name: 'MEMORY.md', readTool: 'read', locale: 'zh-CN' })
    expect(result.kept).toEqual({ head: 14_000, tail: 4_000 })
    expect(result.text).toBe(
      `${text.slice(0, 14_000)}\n\n[...内容被截断，完整内容请使用 read 工具查看 MEMORY.md...]\n（截断：保留了 14000+4000 字符，共 30000 字符）\n\n${text.slice(-4_000)}`,
    )
  })

  it('names no tool unless there is one', () => {
    const text = 'x'.repeat(30_000)
    expect(truncate(text, { locale: 'zh-CN', name: 'MEMORY.md' }).text).toContain(
      '\n\n[...内容被截断...]\n（截断：保留了 14000+4000 字符，共 30000 字符）\n\n',
    )
    expect(truncate(text, { readTool: 'read' }).text).toContain('[...content truncated...]')
  })

  it('gives the full marker if it fits, else a compact one, else none', () => {
    const text = 'x'.repeat(30_000)
    expect(truncate(text, { max: 2_000 }).text).toContain('(truncated: kept 1400+400 chars of 30000)')
    expect(truncate(text, { max: 200 }).text).toBe(`${'x'.repeat(140)}\n\n[...]\n\n${'x'.repeat(40)}`)
    expect(truncate(text, { max: 20 }).text).toBe('x'.repeat(18))
    expect(truncate(text, { max: 0 }).text).toBe('')
  })

  it('takes the shares a person would compute', () => {
    expect(truncate('x'.repeat(30_000), { max: 130 }).kept.head).toBe(91)
    expect(truncate('x'.repeat(30_000), { max: 1_000, head: 0.5, tail: 0.1 }).kept).toEqual({ head: 500, tail: 100 })
  })

  it('keeps the end alone with the strategy newest', () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `line ${index}\n`).join('')
    const result = truncate(text, { max: 1_000, strategy: 'newest' })
    expect(result.kept.head).toBe(0)
    expect(result.text.startsWith('[...content truncated...]\n(truncated: kept 0+')).toBe(true)
    expect(result.text.endsWith('line 2999\n')).toBe(true)
    expect(result.text.length).toBeLessThanOrEqual(1_000)
    expect(result.text.length).toBeGreaterThan(990)
  })

  it.each([
    [{ head: 0.9, tail: 0.2 }, 'head + tail of at most 1, got 0.9 + 0.2'],
    [{ max: -1 }, 'max: '],
    [{ max: 1.5 }, 'max: '],
    [{ max: Number.NaN }, 'got NaN'],
    [{ maximum: 5 }, 'unknown option maximum'],
    [{ strategy: 'middle' }, 'strategy: expected one of "head-tail"|"newest"|"sections", got "middle"'],
    [{ boundary: 'word' }, 'boundary: expected one of "exact"|"line", got "word"'],
    [{ stepped: 1 }, 'stepped: expected boolean, got 1'],
  ])('refuses %j', (options, message) => {
    expect(() => truncate('text', options as never)).toThrow(PromptError)
    expect(() => truncate('text', options as never)).toThrow(message)
  })

  it('takes shares that add up to 1', () => {
    expect(truncate('x'.repeat(100), { max: 10, head: 0.7, tail: 0.3 }).text).toBe('x'.repeat(10))
  })
})

describe('laws of truncate', () => {
  const graphemes = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '中',
    'あ',
    '👩‍👩‍👧',
    '🇩🇪',
    'é',
    '👍🏽',
    'نَ',
    'नि',
    '각',
    '\u{1F600}',
    '1️⃣',
    'ก็',
  )
  const text = fc.array(graphemes, { maxLength: 300 }).map((parts) => parts.join(''))
  const strategy = fc.constantFrom('head-tail' as const, 'newest' as const)
  const locale = fc.constantFrom('en' as const, 'zh-CN' as const)

  it('is never longer than the cap, changes nothing the second time, and keeps verbatim ends', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 400 }), strategy, locale, (input, max, how, language) => {
        const options = { max, strategy: how, locale: language, name: 'SOUL.md', readTool: 'read' }
        const result = truncate(input, options)
        expect(result.text.length).toBeLessThanOrEqual(max)
        expect(truncate(result.text, options).text).toBe(result.text)
        if (!result.truncated) {
          expect(result.text).toBe(input)
          return
        }
        expect(result.text.startsWith(input.slice(0, result.kept.head))).toBe(true)
        expect(result.text.endsWith(input.slice(input.length - result.kept.tail))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('never splits a grapheme', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 400 }), strategy, (input, max, how) => {
        const { kept, truncated } = truncate(input, { max, strategy: how })
        if (!truncated) return
        const allowed = boundaries(input)
        expect(allowed.has(kept.head)).toBe(true)
        expect(allowed.has(input.length - kept.tail)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('holds for every cap from 0 up, over a text of one repeated grapheme', () => {
    for (const piece of ['👩‍👩‍👧', '🇩🇪', 'x', '\u0301']) {
      const input = piece.repeat(200)
      const allowed = boundaries(input)
      for (let max = 0; max <= 260; max += 1) {
        const result = truncate(input, { max })
        expect(result.text.length).toBeLessThanOrEqual(max)
        expect(allowed.has(result.kept.head) && allowed.has(input.length - result.kept.tail)).toBe(true)
      }
    }
  })
})
