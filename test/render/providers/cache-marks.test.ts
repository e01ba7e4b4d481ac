import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TokenCounter } from '../../../src/ports/index.js'
import {
  type AnthropicTextBlock,
  type AnthropicTtl,
  type CacheOptions,
  type CachePoint,
  toAISDK,
  toAnthropic,
  toLangChain,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../../src/render/providers/index.js'
import { anyPrompt, joined, longPrompt, promptOf, stabilities } from './prompts.js'

const units: TokenCounter = { name: 'units', exact: true, additive: true, count: (text) => text.length }

/** What the marked blocks end with, and for how long they are kept. */
function marksOf(blocks: readonly AnthropicTextBlock[]): readonly string[] {
  return blocks.flatMap(({ text, cache_control }) =>
    cache_control === undefined ? [] : [`${text.trim().slice(-1)} ${cache_control.ttl ?? ''}`.trim()],
  )
}

const abcd = promptOf(['static', 'a'], ['workspace', 'b'], ['session', 'c'], ['turn', 'd'])
const only = (cache: CacheOptions<AnthropicTtl>, prompt = abcd) =>
  marksOf(toAnthropic(prompt, { cache: { minimumTokens: 0, ...cache } }))

const anyCache: fc.Arbitrary<CacheOptions<AnthropicTtl>> = fc.record(
  {
    after: fc.subarray(['static', 'workspace', 'session'] as const),
    ttl: fc.constantFrom<AnthropicTtl>('5m', '1h'),
    maxMarks: fc.integer({ min: 0, max: 4 }),
    minimumTokens: fc.integer({ min: 0, max: 120 }),
    counter: fc.constant(units),
  },
  { requiredKeys: ['minimumTokens', 'counter'] },
)

describe('cache marks', () => {
  it('stand after the static and after the workspace part by default', () => {
    const blocks = toAnthropic(longPrompt)
    expect(blocks.map((block) => block.cache_control)).toEqual([
      { type: 'ephemeral' },
      { type: 'ephemeral' },
      undefined,
      undefined,
    ])
    expect(blocks.map((block) => 'cache_control' in block)).toEqual([true, true, false, false])
  })

  it('stand where they are asked for', () => {
    expect(only({ after: ['static'] })).toEqual(['a'])
    expect(only({ after: ['session', 'static'] })).toEqual(['a', 'c'])
    expect(only({ after: ['workspace', 'static', 'static'], ttl: { static: '1h' } })).toEqual(['a 1h', 'b'])
    expect(only({ after: ['session', 'static'], maxMarks: 1 })).toEqual(['c'])
    expect(only({ after: [] })).toEqual([])
  })

  it('stand at the end of what changes no more often, whatever comes last there', () => {
    expect(only({}, promptOf(['static', 'a']))).toEqual(['a'])
    expect(only({ after: ['workspace'] }, promptOf(['static', 'a'], ['turn', 'd']))).toEqual(['a'])
    expect(only({}, promptOf(['workspace', 'b'], ['static', 'a'], ['session', 'c']))).toEqual(['a'])
    expect(only({}, promptOf(['session', 'c'], ['static', 'a']))).toEqual([])
  })

  it('are one where two fall on one place, with the longer ttl', () => {
    expect(only({ ttl: { static: '1h', workspace: '5m' } }, promptOf(['static', 'a']))).toEqual(['a 1h'])
  })

  it('carry the ttl of all or of each', () => {
    expect(only({ ttl: '1h' })).toEqual(['a 1h', 'b 1h'])
    expect(only({ ttl: { static: '1h' } })).toEqual(['a 1h', 'b'])
  })

  it('keep the last ones where there may be fewer, as each covers all before it', () => {
    expect(only({ maxMarks: 1 })).toEqual(['b'])
    expect(only({ after: ['static', 'workspace', 'session'], maxMarks: 2 })).toEqual(['b', 'c'])
    expect(only({ maxMarks: 0 })).toEqual([])
    expect(only({ maxMarks: 4 })).toEqual(['a', 'b'])
  })

  it('hold to every law for any prompt and options', () => {
    fc.assert(
      fc.property(anyPrompt, anyCache, (prompt, cache) => {
        const blocks = toAnthropic(prompt, { cache })
        const { after = ['static', 'workspace'], maxMarks = 4, minimumTokens } = cache
        const marked = blocks.flatMap(({ cache_control }, index) => (cache_control === undefined ? [] : [index]))
        expect(marked.length).toBeLessThanOrEqual(Math.min(maxMarks, after.length))
        // Each mark stands at the end of a block, so before a rise of the prefix stability or at the end of the prompt,
        // and covers at least the minimum.
        let rank = -1
        let offset = 0
        const rises = prompt.sections.flatMap(({ text, stability }) => {
          const from = offset
          const rises = stabilities.indexOf(stability) > rank && from > 0
          rank = Math.max(rank, stabilities.indexOf(stability))
          offset += text.length
          return rises ? [from] : []
        })
        for (const index of marked) {
          const end = joined(blocks.slice(0, index + 1)).length
          expect([...rises, prompt.text.length]).toContain(end)
          expect(end).toBeGreaterThanOrEqual(Number(minimumTokens))
        }
        expect(joined(blocks)).toBe(prompt.text)
      }),
    )
  })

  it('never have a longer ttl behind a shorter: such options are refused, and all others taken', () => {
    const ttl = fc.constantFrom<AnthropicTtl | undefined>('5m', '1h', undefined)
    const order: readonly CachePoint[] = ['static', 'workspace', 'session']
    fc.assert(
      fc.property(fc.record({ static: ttl, workspace: ttl, session: ttl }), (ttl) => {
        const long = order.map((point) => ttl[point] === '1h')
        const falls = long.every((isLong, index) => !isLong || index === 0 || long[index - 1] === true)
        const build = () => only({ after: order, ttl })
        if (falls) expect(build()).toHaveLength(3)
        else expect(build).toThrow('cache.ttl: expected no longer ttl behind a shorter, got ')
      }),
    )
  })

  it('leave the blocks before them as they were when only what follows changes', () => {
    fc.assert(
      fc.property(anyPrompt, anyPrompt, fc.string({ maxLength: 40 }), anyCache, (head, tail, note, cache) => {
        const stable = head.sections.filter(({ stability }) => stability === 'static' || stability === 'workspace')
        const withEnd = (end: string) => {
          const rest = [...tail.sections, { stability: 'turn', text: end } as const]
          const sections = [...stable, { stability: 'session', text: 'Session.\n\n' } as const, ...rest]
          return { sections, text: sections.map(({ text }) => text).join('') }
        }
        const blocks = toAnthropic(withEnd('One.\n\n'), { cache })
        const again = toAnthropic(withEnd(`${note}Two.\n\n`), { cache })
        const last = blocks.findLastIndex(({ cache_control }) => cache_control !== undefined)
        const length = joined(blocks.slice(0, last + 1)).length
        // What is behind the stable part may hold a mark of the session, which covers nothing of the turn.
        expect(joined(again).slice(0, length)).toBe(joined(blocks).slice(0, length))
        expect(again.slice(0, last + 1)).toEqual(blocks.slice(0, last + 1))
      }),
    )
  })
})

describe('the least size of what is cached', () => {
  const static600 = promptOf(['static', 'x'.repeat(598)], ['workspace', 'y'.repeat(498)], ['turn', 'z'])
  const at = (cache: CacheOptions<AnthropicTtl>) =>
    marksOf(toAnthropic(static600, { cache: { counter: units, ...cache } }))

  it('is that of the model, and counts all before the mark', () => {
    expect(at({ model: 'claude-opus-5' })).toEqual(['x', 'y'])
    expect(at({ model: 'claude-sonnet-5' })).toEqual(['y'])
    expect(at({ model: 'claude-haiku-4-5' })).toEqual([])
  })

  it('is met by just as many tokens', () => {
    expect(at({ minimumTokens: 600 })).toEqual(['x', 'y'])
    expect(at({ minimumTokens: 601 })).toEqual(['y'])
    expect(at({ minimumTokens: 1_101 })).toEqual([])
  })

  it('is the least of all for a model that nobody knows', () => {
    expect(at({})).toEqual(['x', 'y'])
    expect(at({ model: 'claude-unheard-of' })).toEqual(['x', 'y'])
    expect(at({ model: 'constructor' })).toEqual(['x', 'y'])
  })

  it.each([
    ['claude-opus-4-5-20251101', []],
    ['anthropic/claude-opus-4.5', []],
    ['us.anthropic.claude-opus-4-20250514-v1:0', ['y']],
    ['CLAUDE-OPUS-5-5', ['x', 'y']],
    ['claude-opus-4-50', ['y']],
    ['claude-3-5-haiku-latest', []],
  ])('is found by a part of the name: %s', (model, marks) => {
    expect(at({ model })).toEqual(marks)
  })

  it('is overridden by the host, for all models or for some', () => {
    expect(at({ model: 'claude-haiku-4-5', minimumTokens: { 'claude-haiku': 700 } })).toEqual(['y'])
    expect(at({ model: 'claude-sonnet-5', minimumTokens: { 'claude-haiku': 700 } })).toEqual(['y'])
    expect(at({ model: 'claude-opus-5', minimumTokens: 700 })).toEqual(['y'])
    expect(at({ model: 'mine', minimumTokens: { mine: 700, 'not-mine': 0 } })).toEqual(['y'])
  })

  it('is 1,024 tokens for OpenAI', () => {
    const parts = toOpenAIResponses(static600, { as: 'input', cache: { counter: units } }).input[0]?.content
    expect(parts?.map((part) => part.prompt_cache_breakpoint?.mode)).toEqual([undefined, 'explicit', undefined])
  })
})

describe('each provider’s form of a mark', () => {
  const prompt = promptOf(['static', 'a'], ['turn', 'b'])

  it('Anthropic', () => {
    expect(toAnthropic(prompt, { cache: { minimumTokens: 0, ttl: '1h' } })).toEqual([
      { type: 'text', text: 'a\n\n', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'b\n\n' },
    ])
    expect(toAnthropic(prompt, { cache: false })).toEqual([{ type: 'text', text: 'a\n\nb\n\n' }])
  })

  it('AI SDK', () => {
    expect(toAISDK(prompt, { cache: { minimumTokens: 0 } })).toEqual([
      { role: 'system', content: 'a\n\n', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
      { role: 'system', content: 'b\n\n' },
    ])
  })

  it('OpenAI Responses', () => {
    const cache = { minimumTokens: 0, ttl: '12h' } as const
    expect(toOpenAIResponses(prompt, { as: 'input', cache })).toEqual({
      input: [
        {
          type: 'message',
          role: 'developer',
          content: [
            { type: 'input_text', text: 'a\n\n', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
            { type: 'input_text', text: 'b\n\n' },
          ],
        },
      ],
    })
    expect(toOpenAIResponses(prompt, { as: 'input', role: 'system' }).input[0]).toEqual({
      type: 'message',
      role: 'system',
      content: [{ type: 'input_text', text: 'a\n\nb\n\n' }],
    })
  })

  it('OpenAI Chat', () => {
    expect(toOpenAIChat(prompt, { role: 'developer', cache: { minimumTokens: 0 } })).toEqual([
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'a\n\n', prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'text', text: 'b\n\n' },
        ],
      },
    ])
    expect(toOpenAIChat(prompt)).toEqual([{ role: 'system', content: 'a\n\nb\n\n' }])
  })

  it('LangChain, only when asked for', () => {
    expect(toLangChain(prompt)).toEqual({ content: [{ type: 'text', text: 'a\n\nb\n\n' }] })
    expect(toLangChain(prompt, { cache: { minimumTokens: 0 } })).toEqual({
      content: [
        { type: 'text', text: 'a\n\n', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'b\n\n' },
      ],
    })
  })
})
