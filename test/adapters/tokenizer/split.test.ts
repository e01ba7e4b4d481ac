import fc from 'fast-check'
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../src/adapters/tokenizer/parts.js'
import { type EndOfPiece, endOfCl100k, endOfO200k } from '../../../src/adapters/tokenizer/split.js'
import { repetitive, texts } from './texts.js'

const encodings: readonly (readonly [string, RegExp, EndOfPiece])[] = [
  ['o200k', O200K_TOKEN_SPLIT_REGEX, endOfO200k],
  ['cl100k', CL100K_TOKEN_SPLIT_REGEX, endOfCl100k],
]
const any = fc.oneof(texts, repetitive)

function cutAt(text: string, endOf: (start: number) => number): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = endOf(start)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

const partsIn = (text: string) => cutAt(text, partsOf(text).endOfPart)
const stretchesIn = (text: string) => cutAt(text, partsOf(text).endOfStretch)

describe.each(encodings)('the pieces of %s', (_name, pattern, endOfPiece) => {
  const matches = (text: string) => text.match(pattern) ?? []

  it('are those of its pattern', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(cutAt(text, (start) => endOfPiece(text, start, text.length))).toEqual(matches(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it('are the same when each part of a text is taken by itself', () => {
    const lines = fc.array(any, { minLength: 2, maxLength: 8 }).map((list) => list.join('\n'))
    fc.assert(
      fc.property(lines, (text) => {
        expect(partsIn(text).flatMap(matches)).toEqual(matches(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it('are the same when a long line is cut at its sentences', () => {
    const long = fc
      .array(any, { minLength: 60, maxLength: 90 })
      .map((list) => `${list.join('')}${'end, 完，'.repeat(200)}`)
    fc.assert(
      fc.property(long, (text) => {
        expect(partsIn(text).flatMap(matches)).toEqual(matches(text))
      }),
    )
    expect(partsIn('One, two. '.repeat(200)).length).toBeGreaterThan(100)
    expect(partsIn('一，二。'.repeat(400)).length).toBeGreaterThan(100)
  })

  it('are found where the pattern would overflow the stack', () => {
    const text = '中'.repeat(12_000_000)
    expect(endOfPiece(text, 0, text.length)).toBe(text.length)
  })
})

describe('the parts of a text', () => {
  it.each([
    ['before a line', 'one\ntwo\n', ['one\n', 'two\n']],
    ['before an indented line', 'one\n  two\n\tthree', ['one\n', '  two\n', '\tthree']],
    ['not before a slash', 'one;\n// two\nthree', ['one;\n// two\n', 'three']],
    ['behind the last blank line', 'one\n\n \ntwo', ['one\n\n \n', 'two']],
    ['not before white space that ends the text', 'one\n  ', ['one\n  ']],
  ])('end %s', (_where, text, expected) => {
    expect(partsIn(text)).toEqual(expected)
  })

  it('are behind an edit what they were', () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `- On day ${index * 37} they met number ${index % 91}.`)
    const before = stretchesIn(lines.join('\n'))
    expect(before.length).toBeGreaterThan(60)
    for (const at of [0, 1_000, 3_999]) {
      const edited = stretchesIn(lines.toSpliced(at, 1, '- A new line,', '- and another.').join('\n'))
      const known = new Set(before)
      expect(edited.filter((stretch) => !known.has(stretch)).length).toBeLessThanOrEqual(3)
    }
  })

  it('keep to a size where no part ends a stretch', () => {
    const stretches = stretchesIn('the same line\n'.repeat(10_000))
    expect(Math.max(...stretches.map((stretch) => stretch.length))).toBeLessThanOrEqual(64 * 14)
  })
})
