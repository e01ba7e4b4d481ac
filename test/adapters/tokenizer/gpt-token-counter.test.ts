import fc from 'fast-check'
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import { type GptEncoding, gptTokenCounter } from 'soulprompt/tokenizer'
import { describe, expect, it } from 'vitest'
import { languageSamples } from '../../workspace/language-samples.js'
import { repetitive, texts } from './texts.js'

const plain = { disallowedSpecial: new Set<string>() }
const encodings: readonly (readonly [GptEncoding, (text: string) => number])[] = [
  ['o200k_base', (text) => o200k.encode(text, plain).length],
  ['cl100k_base', (text) => cl100k.encode(text, plain).length],
]
const lines = fc.array(fc.oneof(texts, repetitive), { minLength: 1, maxLength: 12 })

describe.each(encodings)('%s', async (encoding, reference) => {
  const counter = await gptTokenCounter(encoding)

  it('counts what gpt-tokenizer encodes', () => {
    fc.assert(
      fc.property(fc.oneof(texts, repetitive), (text) => {
        expect(counter.count(text)).toBe(reference(text))
      }),
      { numRuns: 4_000 },
    )
  })

  it('counts texts of several lines, again and after edits', () => {
    const edit = fc.record({ at: fc.nat(), without: fc.nat(9), text: texts })
    fc.assert(
      fc.property(lines, fc.array(edit, { maxLength: 6 }), (start, edits) => {
        let text = start.join('\n')
        expect(counter.count(text)).toBe(reference(text))
        for (const { at, without, text: added } of edits) {
          const place = at % (text.length + 1)
          text = `${text.slice(0, place)}${added}${text.slice(place + without)}`
          expect(counter.count(text)).toBe(reference(text))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('adds up where a part ends with a newline and the next starts with neither white space nor a slash', () => {
    const part = texts.filter((text) => /^[^\s/]/.test(text)).map((text) => `${text}\n`)
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const sum = parts.reduce((total, text) => total + counter.count(text), 0)
        expect(sum).toBe(reference(parts.join('')))
      }),
      { numRuns: 500 },
    )
  })

  it.each(Object.entries(languageSamples))('counts %s', (_language, text) => {
    expect(counter.count(text)).toBe(reference(text))
  })

  it.each([
    'a',
    'A',
    ' ',
    '\n',
    '\t',
    '.',
    '=',
    'é',
    '中',
    '你好',
    'ก',
    '😀',
    '\u200D',
    '\u0301',
    '\uFEFF',
    '\uD800',
    '<|',
    'x\uFEFF',
  ])('counts a long run of %j', (unit) => {
    const text = unit.repeat(600)
    expect(counter.count(text)).toBe(reference(text))
  })

  it('counts long runs of no pattern', () => {
    const units = [...'abcdefghijklmnopqrstuvwxyz'].join('')
    const run = (from: string) => fc.string({ unit: fc.constantFrom(...from), minLength: 150, maxLength: 400 })
    fc.assert(
      fc.property(
        fc.oneof(run(units), run('!#$%&()*+,-.'), run('的一是不了人我在有他这中大来上'), run('กขคงจชซญดต')),
        (text) => {
          expect(counter.count(text)).toBe(reference(text))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('takes special tokens for text', () => {
    const text = 'Before <|endoftext|> and <|im_start|>system<|im_end|> after <|endofprompt|>'
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1)
    expect(counter.count(text)).toBe(reference(text))
  })

  it('refuses anything but a string', () => {
    const count: (text: never) => number = counter.count
    const call = () => Reflect.apply(count, undefined, [42])
    expect(call).toThrow(`${encoding}: expected a string to count, got a value of type number`)
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })
})

describe('gptTokenCounter', () => {
  it('counts a megabyte of anything', async () => {
    const { count } = await gptTokenCounter()
    const million = 1_000_000
    // The longest tokens of these runs are 8 letters, 128 spaces and 16 newlines.
    expect(count('a'.repeat(million))).toBe(million / 8)
    expect(count(' '.repeat(million))).toBe(Math.ceil(million / 128))
    expect(count('\n'.repeat(million))).toBe(million / 16)
    expect(count('中'.repeat(million))).toBe(million)
    expect(count('<|'.repeat(million / 2))).toBe(million)
  })

  it('is plain frozen data with a function', async () => {
    const counter = await gptTokenCounter()
    expect(counter).toEqual({ name: 'o200k_base', exact: true, additive: true, count: expect.any(Function) })
    expect(Object.isFrozen(counter)).toBe(true)
    expect(counter.count('Hello, world!')).toBe(4)
    expect(counter.count('')).toBe(0)
  })

  it('counts for o200k_harmony what o200k_base counts', async () => {
    const [base, harmony] = await Promise.all([gptTokenCounter(), gptTokenCounter('o200k_harmony')])
    expect(harmony.name).toBe('o200k_harmony')
    for (const text of Object.values(languageSamples)) expect(harmony.count(text)).toBe(base.count(text))
  })

  it.each([
    ['claude', '"claude"'],
    ['toString', '"toString"'],
    [undefined, 'undefined', true],
    [null, 'null'],
    [200, 'a value of type number'],
  ])('refuses the encoding %j', async (encoding, shown, isDefault = false) => {
    const made = Reflect.apply(gptTokenCounter, undefined, [encoding])
    if (isDefault) return expect(await made).toMatchObject({ name: 'o200k_base' })
    await expect(made).rejects.toMatchObject({
      code: 'invalid-options',
      message: `gptTokenCounter: expected one of o200k_base, o200k_harmony, cl100k_base, got ${shown}`,
    })
  })
})
