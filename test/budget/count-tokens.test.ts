import { describe, expect, it } from 'vitest'
import { checkedCount, countTokens } from '../../src/budget/count-tokens.js'
import { estimatedTokens } from '../../src/budget/estimate.js'
import type { Section } from '../../src/ports/prompt.js'
import type { TokenCounter } from '../../src/ports/token-counter.js'

const section = (text: string): Section => ({
  id: 'soul',
  layer: 'persona',
  text,
  chars: text.length,
  stability: 'workspace',
  priority: null,
  fingerprint: '0',
})
const promptOf = (...texts: readonly string[]) =>
  Object.freeze({ text: texts.join(''), sections: Object.freeze(texts.map((text) => Object.freeze(section(text)))) })

/** A counter of characters, and what it was asked. */
function counterOf(options: Partial<TokenCounter> = {}) {
  const asked: string[] = []
  const counter: TokenCounter = {
    name: 'characters',
    count(text) {
      asked.push(text)
      return text.length
    },
    ...options,
  }
  return { counter, asked }
}

describe('counting the tokens of a prompt', () => {
  it('adds up its sections where counts add up, each asked about once', () => {
    const { counter, asked } = counterOf({ additive: true, exact: true })
    const prompt = promptOf('one\n\n', 'three\n\n')
    expect(countTokens(prompt, counter)).toEqual({ tokens: 12, exact: true })
    countTokens(prompt, counter)
    countTokens({ text: 'three\n\n', sections: prompt.sections.slice(1) }, counter)
    expect(asked).toEqual(['one\n\n', 'three\n\n'])
  })

  it('asks about the whole, once, where they do not', () => {
    const { counter, asked } = counterOf()
    const prompt = promptOf('one\n\n', 'three\n\n')
    expect([countTokens(prompt, counter), countTokens(prompt, counter)]).toEqual([
      { tokens: 12, exact: false },
      { tokens: 12, exact: false },
    ])
    expect(asked).toEqual(['one\n\nthree\n\n'])
  })

  it('remembers by counter', () => {
    const prompt = promptOf('one\n\n')
    const doubled: TokenCounter = { name: 'double', additive: true, count: (text) => text.length * 2 }
    expect(countTokens(prompt, counterOf({ additive: true }).counter).tokens).toBe(5)
    expect(countTokens(prompt, doubled).tokens).toBe(10)
  })

  it('remembers nothing of what can be changed', () => {
    const { counter } = counterOf({ additive: true })
    const own = { ...section('one\n\n') }
    const prompt = { text: own.text, sections: [own] }
    expect(countTokens(prompt, counter).tokens).toBe(5)
    Object.assign(own, { text: 'longer\n\n' })
    Object.assign(prompt, { text: own.text })
    expect(countTokens(prompt, counter).tokens).toBe(8)
  })

  it('counts a text, and estimates without a counter', () => {
    expect(countTokens('four', counterOf().counter)).toEqual({ tokens: 4, exact: false })
    expect(countTokens('Some words.')).toEqual({ tokens: estimatedTokens.count('Some words.'), exact: false })
  })

  it.each([
    ['no prompt', [undefined], 'prompt: expected a text, or a prompt whose sections are its text, got undefined'],
    ['a number', [42], 'prompt: expected a text, or a prompt whose sections are its text, got 42'],
    ['no sections', [{ text: '' }], 'prompt: expected a text, or a prompt whose sections are its text, got an object'],
    [
      'sections that are not its text',
      [{ text: 'a', sections: [] }],
      'prompt whose sections are its text, got an object',
    ],
    ['a counter to come', ['text', Promise.resolve({})], '{ name, count }, got a promise: await it'],
    [
      'a counter that lets wait',
      ['text', { name: 'slow', count: async () => Promise.reject(new Error('later')) }],
      'the token counter slow: expected a whole number of tokens, 0 or more, got a promise: count has to be synchronous',
    ],
    ['no counter', ['text', null], 'counter: expected a token counter: { name, count }, got null'],
    ['a counter without a name', ['text', { count: () => 1 }], 'counter: expected a token counter: { name, count }'],
    ['a function', ['text', () => 1], 'counter: expected a token counter: { name, count }, got a function'],
  ])('refuses %s', (_what, given, message) => {
    const call = () => Reflect.apply(countTokens, undefined, given)
    expect(call).toThrow(message)
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })

  it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, '4', undefined, null])('refuses a count of %j', (given) => {
    const counter = { name: 'odd', count: () => given } as TokenCounter
    const call = () => checkedCount(counter, 'text')
    expect(call).toThrow('the token counter odd: expected a whole number of tokens, 0 or more, got ')
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })

  it('passes on why a counter threw', () => {
    const cause = new Error('no table')
    const { counter } = counterOf({
      count: () => {
        throw cause
      },
    })
    const call = () => countTokens('text', counter)
    expect(call).toThrow('the token counter characters: threw: no table')
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-options', cause }))
  })
})
