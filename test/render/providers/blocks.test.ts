import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PromptError } from '../../../src/errors.js'
import { blocksOf } from '../../../src/render/providers/blocks.js'
import {
  toAISDK,
  toAnthropic,
  toGemini,
  toLangChain,
  toOpenAIChat,
  toOpenAIResponses,
  toText,
} from '../../../src/render/providers/index.js'
import { anyPrompt, joined, promptOf, stabilities } from './prompts.js'

describe('the blocks of a prompt', () => {
  it('end where the prefix stability rises and nowhere else', () => {
    const prompt = promptOf(
      ['static', 'a'],
      ['static', 'b'],
      ['session', 'c'],
      ['static', 'd'],
      ['workspace', 'e'],
      ['turn', 'f'],
      ['static', 'g'],
    )
    expect(blocksOf('test', prompt)).toEqual([
      { stability: 'static', text: 'a\n\nb\n\n' },
      { stability: 'session', text: 'c\n\nd\n\ne\n\n' },
      { stability: 'turn', text: 'f\n\ng\n\n' },
    ])
  })

  it('are at most four, rise, hold no empty one, and concatenate to the text', () => {
    fc.assert(
      fc.property(anyPrompt, (prompt) => {
        const blocks = blocksOf('test', prompt)
        const ranks = blocks.map(({ stability }) => stabilities.indexOf(stability))
        expect(joined(blocks)).toBe(prompt.text)
        expect(blocks.length).toBeLessThanOrEqual(4)
        expect(ranks).toEqual([...new Set(ranks)].sort())
        expect(blocks.every(({ text }) => text !== '')).toBe(true)
      }),
    )
  })

  it('are none for an empty prompt, and an empty section ends none', () => {
    expect(blocksOf('test', { text: '', sections: [] })).toEqual([])
    const sections = [
      { stability: 'static', text: 'a' },
      { stability: 'turn', text: '' },
      { stability: 'workspace', text: 'b' },
    ] as const
    expect(blocksOf('test', { text: 'ab', sections }).map(({ stability }) => stability)).toEqual([
      'static',
      'workspace',
    ])
  })

  it('are refused where text and sections do not agree, as a change of one of them would be lost', () => {
    const prompt = promptOf(['static', 'abc'])
    const changed = { ...prompt, text: `${prompt.text}More.` }
    expect(() => toAnthropic(changed)).toThrow(PromptError)
    expect(() => toAnthropic(changed)).toThrow(
      'toAnthropic: prompt.sections: expected sections that concatenate to the text, 10 UTF-16 units, got 5',
    )
    const unknown = JSON.parse('{ "text": "a", "sections": [{ "text": "a", "stability": "daily" }] }')
    expect(() => toGemini(unknown)).toThrow('expected a stability of static, workspace, session, turn, got "daily"')
  })
})

describe('what is no prompt', () => {
  const given = {
    'a promise of one': Promise.resolve(promptOf(['static', 'abc'])),
    'a text': 'You are …',
    nothing: undefined,
    'an object of another kind': { text: 42 },
  }
  const outputs = { toText, toAnthropic, toAISDK, toOpenAIResponses, toOpenAIChat, toGemini, toLangChain }
  const cases = Object.entries(outputs).flatMap(([name, output]) =>
    Object.entries(given).map(([what, value]) => [name, what, output, value] as const),
  )
  it.each(cases)('%s refuses %s', (name, _what, output, value) => {
    const call = () => Reflect.apply(output, undefined, [value])
    expect(call).toThrow(`${name}: prompt: expected a prompt, as buildSystemPrompt resolves to`)
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })
})

describe('every output', () => {
  const outputs = {
    toText,
    toAnthropic: (prompt) => joined(toAnthropic(prompt)),
    'toAnthropic, all marks': (prompt) =>
      joined(toAnthropic(prompt, { cache: { after: ['static', 'workspace', 'session'], minimumTokens: 0 } })),
    'toAnthropic, uncached': (prompt) => joined(toAnthropic(prompt, { cache: false })),
    toAISDK: (prompt) =>
      toAISDK(prompt)
        .map(({ content }) => content)
        .join(''),
    toOpenAIResponses: (prompt) => toOpenAIResponses(prompt).instructions,
    'toOpenAIResponses, as input': (prompt) =>
      toOpenAIResponses(prompt, { as: 'input', cache: {} })
        .input.map(({ content }) => joined(content))
        .join(''),
    toOpenAIChat: (prompt) => toOpenAIChat(prompt)[0]?.content ?? '',
    'toOpenAIChat, in parts': (prompt) => joined(toOpenAIChat(prompt, { cache: {} })[0]?.content ?? []),
    toGemini: (prompt) => joined(toGemini(prompt).parts),
    toLangChain: (prompt) => joined(toLangChain(prompt).content),
    'toLangChain, cached': (prompt) => joined(toLangChain(prompt, { cache: {} }).content),
  } satisfies Record<string, (prompt: ReturnType<typeof promptOf>) => string>

  it.each(Object.entries(outputs))('holds the text, byte for byte: %s', (_, output) => {
    fc.assert(fc.property(anyPrompt, (prompt) => output(prompt) === prompt.text))
  })

  it('is one message where a second one could be refused', () => {
    fc.assert(
      fc.property(anyPrompt, (prompt) => {
        const expected = prompt.text === '' ? 0 : 1
        expect(toOpenAIChat(prompt)).toHaveLength(expected)
        expect(toOpenAIChat(prompt, { cache: {} })).toHaveLength(expected)
        expect(toOpenAIResponses(prompt, { as: 'input' }).input).toHaveLength(expected)
        expect(toAISDK(prompt, { cache: false })).toHaveLength(expected)
        expect(toAnthropic(prompt, { cache: false })).toHaveLength(expected)
      }),
    )
  })

  it('holds no empty block for an empty prompt', () => {
    const prompt = promptOf()
    expect([toAnthropic(prompt), toAISDK(prompt), toOpenAIChat(prompt)]).toEqual([[], [], []])
    expect(toOpenAIChat(prompt, { cache: {} })).toEqual([])
    expect(toOpenAIResponses(prompt)).toEqual({ instructions: '' })
    expect(toOpenAIResponses(prompt, { as: 'input' })).toEqual({ input: [] })
    expect([toGemini(prompt), toLangChain(prompt)]).toEqual([{ parts: [] }, { content: [] }])
  })

  it('is made anew each time, and never frozen', () => {
    const prompt = promptOf(['static', 'a'], ['turn', 'b'])
    const first = toAnthropic(prompt)
    for (const block of first) block.text = ''
    first.length = 0
    expect(joined(toAnthropic(prompt))).toBe(prompt.text)
  })
})
