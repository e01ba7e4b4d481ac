import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimatedTokens } from '../../src/budget/estimate.js'
import { repetitive, texts } from '../adapters/tokenizer/texts.js'
import { samples } from './estimate-samples.js'

const { count } = estimatedTokens
const any = fc.oneof(texts, repetitive, fc.string({ unit: 'binary' }))

describe('the estimate of tokens', () => {
  it.each(Object.entries(samples))('is within a quarter of what o200k_base counts: %s', (_kind, [tokens, text]) => {
    expect(count(text)).toBeGreaterThan(tokens * 0.75)
    expect(count(text)).toBeLessThan(tokens * 1.25)
  })

  it('is a whole number, the same each time, and 0 for the empty text alone', () => {
    expect(count('')).toBe(0)
    fc.assert(
      fc.property(any, (text) => {
        const tokens = count(text)
        expect(Number.isSafeInteger(tokens)).toBe(true)
        expect(tokens).toBeGreaterThanOrEqual(text === '' ? 0 : 1)
        expect(count(`${text}.`.slice(0, -1))).toBe(tokens)
      }),
    )
  })

  it('adds up where a part ends with a newline and the next starts with neither white space nor a slash', () => {
    expect(estimatedTokens.additive).toBe(true)
    const part = any.filter((text) => /^[^\s/]/.test(text)).map((text) => `${text}\n`)
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), any, (parts, last) => {
        const all = /^[^\s/]/.test(last) ? [...parts, last] : parts
        expect(all.reduce((sum, text) => sum + count(text), 0)).toBe(count(all.join('')))
      }),
      { numRuns: 1_000 },
    )
  })

  it('does not take a long run of one character for as many tokens', () => {
    for (const unit of [' ', '\n', '-', '=', 'a', 'Z', '\t']) expect(count(unit.repeat(1_000))).toBeLessThan(130)
    expect(count(' '.repeat(1_000))).toBeLessThan(20)
    expect(count('中'.repeat(1_000))).toBeGreaterThan(700)
  })

  it('says what it is', () => {
    expect(estimatedTokens).toMatchObject({ name: 'estimate', exact: false })
    expect(Object.isFrozen(estimatedTokens)).toBe(true)
  })

  it('refuses anything but a string', () => {
    const call = () => Reflect.apply(count, undefined, [42])
    expect(call).toThrow('the estimate of tokens: expected a string, got 42')
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })
})
