import { describe, expect, it } from 'vitest'
import { PromptError } from '../../../src/errors.js'
import {
  minimumCacheTokens,
  toAISDK,
  toAnthropic,
  toLangChain,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../../src/render/providers/index.js'
import { promptOf } from './prompts.js'

const prompt = promptOf(['static', 'a'])

/** Options as JavaScript may hand them over. */
const loose = (json: string) => JSON.parse(json)

describe('the options of the outputs', () => {
  it.each([
    ['{ "chache": {} }', 'toAnthropic: chache: unknown option, expected one of cache'],
    ['null', 'toAnthropic: options: expected an object, got null'],
    ['{ "cache": true }', 'toAnthropic: cache: expected cache options or false, got true'],
    ['{ "cache": { "tll": "1h" } }', 'toAnthropic: cache.tll: unknown option tll'],
    [
      '{ "cache": { "after": ["turn"] } }',
      'toAnthropic: cache.after: expected a list of static, workspace, session, got ["turn"]',
    ],
    ['{ "cache": { "after": "static" } }', 'cache.after: expected a list of static, workspace, session, got "static"'],
    [
      '{ "cache": { "ttl": "2h" } }',
      'toAnthropic: cache.ttl: expected 5m or 1h, or these by static, workspace, session, got "2h"',
    ],
    ['{ "cache": { "ttl": { "turn": "1h" } } }', 'cache.ttl: expected 5m or 1h'],
    ['{ "cache": { "ttl": { "static": "2h" } } }', 'cache.ttl: expected 5m or 1h'],
    ['{ "cache": { "maxMarks": 5 } }', 'cache.maxMarks: expected a whole number from 0 to 4, got 5'],
    ['{ "cache": { "maxMarks": -1 } }', 'cache.maxMarks: expected a whole number from 0 to 4, got -1'],
    ['{ "cache": { "model": "" } }', 'cache.model: expected the name of a model, got ""'],
    ['{ "cache": { "minimumTokens": 0.5 } }', 'cache.minimumTokens: expected a whole number of tokens'],
    ['{ "cache": { "minimumTokens": { "mine": "many" } } }', 'cache.minimumTokens: expected a whole number of tokens'],
    ['{ "cache": { "counter": {} } }', 'cache.counter: expected a token counter with a function count, got an object'],
  ])('are checked: %s', (options, message) => {
    expect(() => toAnthropic(prompt, loose(options))).toThrow(PromptError)
    expect(() => toAnthropic(prompt, loose(options))).toThrow(message)
  })

  it('are refused with every fault by its name', () => {
    const options = loose('{ "cache": { "after": 1, "maxMarks": 9 } }')
    expect(() => toAISDK(prompt, options)).toThrow(/^toAISDK: 2 problems\n- cache\.after: .*\n- cache\.maxMarks: /)
  })

  it('are those of the function that was called', () => {
    expect(() => toLangChain(prompt, loose('{ "role": "system" }'))).toThrow('toLangChain: role: ')
    expect(() => toOpenAIChat(prompt, loose('{ "role": "user" }'))).toThrow(
      'toOpenAIChat: role: expected system or developer, got "user"',
    )
    expect(() => toOpenAIChat(prompt, loose('{ "cache": { "ttl": "5m" } }'))).toThrow(
      'toOpenAIChat: cache.ttl: expected 30m or 12h',
    )
    expect(() => toOpenAIResponses(prompt, loose('null'))).toThrow('toOpenAIResponses: options: expected an object')
    expect(() => toOpenAIResponses(prompt, loose('{ "as": "text" }'))).toThrow(
      'toOpenAIResponses: as: expected instructions or input, got "text"',
    )
    expect(() => toOpenAIResponses(prompt, loose('{ "cache": {} }'))).toThrow(
      "toOpenAIResponses: cache: expected as: 'input' with it, as instructions are one string",
    )
    expect(() => toOpenAIResponses(prompt, { as: 'input', ...loose('{ "role": 1 }') })).toThrow('role: expected system')
  })

  it('refuse a longer ttl behind a shorter, an unnamed one being the shortest', () => {
    const message = 'toAnthropic: cache.ttl: expected no longer ttl behind a shorter, got static 5m, workspace 1h'
    expect(() => toAnthropic(prompt, { cache: { ttl: { static: '5m', workspace: '1h' } } })).toThrow(message)
    expect(() => toAnthropic(prompt, { cache: { ttl: { workspace: '1h' } } })).toThrow(message)
    expect(() => toAnthropic(prompt, { cache: { after: ['workspace'], ttl: { workspace: '1h' } } })).not.toThrow()
  })

  it('refuse a ttl that no mark can carry', () => {
    expect(() => toAnthropic(prompt, { cache: { ttl: { session: '5m' } } })).toThrow(
      'toAnthropic: cache.ttl: expected a ttl of points that after names, got one of session',
    )
  })

  it('take undefined for what is left out', () => {
    const cache = { after: undefined, ttl: undefined, maxMarks: undefined, model: undefined, counter: undefined }
    expect(toAnthropic(prompt, { cache: { ...cache, minimumTokens: undefined } })).toEqual(toAnthropic(prompt))
    expect(toAnthropic(prompt, { cache: undefined })).toEqual(toAnthropic(prompt))
    expect(toOpenAIResponses(prompt, { as: undefined })).toEqual({ instructions: prompt.text })
  })
})

describe('the table of least sizes', () => {
  it('is frozen, and holds sizes from 512 to 4,096 tokens', () => {
    expect(Object.isFrozen(minimumCacheTokens)).toBe(true)
    expect(new Set(Object.values(minimumCacheTokens))).toEqual(new Set([512, 1_024, 2_048, 4_096]))
  })
})
