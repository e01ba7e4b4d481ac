import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergedCount } from '../../../src/adapters/tokenizer/merge.js'
import { type HashedBytes, hashBytes, NO_RANK, vocabularyOf } from '../../../src/adapters/tokenizer/vocabulary.js'

const letters = ['a', 'b', 'c']

/** Tokens of a few letters in any order of rank, also where none of the parts is one. */
const vocabularies = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 5 }), { maxLength: 24 })
  .chain((tokens) => fc.shuffledSubarray(tokens, { minLength: tokens.length }))
  .map((tokens) => [...letters, ...tokens])

/** Merges the pair of the lowest rank, of equals the first, until there is none: a look at all pairs for each. */
function slowCount(text: string, tokens: readonly string[]): number {
  const parts = [...text]
  for (;;) {
    const ranks = parts.slice(1).map((part, index) => tokens.indexOf(`${parts[index]}${part}`))
    const lowest = Math.min(...ranks.filter((rank) => rank !== -1))
    const at = ranks.indexOf(lowest)
    if (at === -1) return parts.length
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`)
  }
}

function hashed(text: string): HashedBytes {
  const bytes = new TextEncoder().encode(text)
  const result = { bytes, hashes: new Int32Array(bytes.length + 1) }
  hashBytes(result, bytes.length)
  return result
}

describe('merging', () => {
  it.each([
    ['a few bytes', 40],
    ['more than are looked through one by one', 400],
  ])('takes the lowest rank first, of equals the first: %s', (_what, length) => {
    const text = fc.string({ unit: fc.constantFrom(...letters), minLength: length / 2, maxLength: length })
    fc.assert(
      fc.property(vocabularies, fc.array(text, { minLength: 1, maxLength: 3 }), (tokens, texts) => {
        // One for all: nothing is left over from the text before.
        const count = mergedCount(vocabularyOf(tokens))
        for (const one of texts) expect(count(hashed(one), one.length)).toBe(slowCount(one, tokens))
      }),
      { numRuns: length < 100 ? 1_000 : 200 },
    )
  })
})

describe('a vocabulary', () => {
  const tokens: readonly (string | readonly number[])[] = ['a', 'b', 'ab', 'é', [0xc3], [0x80, 0x81]]
  const vocabulary = vocabularyOf(tokens)

  it('finds tokens by their bytes, wherever they stand', () => {
    const text = hashed('xabé')
    expect(vocabulary.rank(text, 1, 3)).toBe(2)
    expect(vocabulary.rank(text, 3, 5)).toBe(3)
    expect(vocabulary.rank(text, 3, 4)).toBe(4)
  })

  it('finds nothing else', () => {
    const text = hashed(`xab${'a'.repeat(50)}`)
    expect(vocabulary.rank(text, 0, 2)).toBe(NO_RANK)
    expect(vocabulary.rank(text, 0, 1)).toBe(NO_RANK)
    expect(vocabulary.rank(text, 3, 50)).toBe(NO_RANK)
  })
})
