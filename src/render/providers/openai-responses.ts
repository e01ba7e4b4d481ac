import { describe, refuse } from '../../validation.js'
import { checkPrompt, type ProviderPrompt } from './blocks.js'
import { markedBlocks } from './cache-marks.js'
import { type CacheOptions, checkNames } from './cache-options.js'
import {
  breakpoint,
  checkRole,
  type OpenAICacheBreakpoint,
  type OpenAIRole,
  type OpenAITtl,
  openAIRules,
} from './openai.js'

export interface OpenAIResponsesOptions {
  readonly as?: 'instructions' | undefined
}

export interface OpenAIResponsesInputOptions {
  readonly as: 'input'
  /** Default `developer`. */
  readonly role?: OpenAIRole | undefined
  /** The cache marks, which models before GPT-5.6 do not take. Default `false`: none, and one part. */
  readonly cache?: CacheOptions<OpenAITtl> | false | undefined
}

export type OpenAIInputText = { type: 'input_text'; text: string; prompt_cache_breakpoint?: OpenAICacheBreakpoint }

export type OpenAIInputMessage = { type: 'message'; role: OpenAIRole; content: OpenAIInputText[] }

/**
 * A prompt for OpenAI's Responses API: `{ instructions }`, exactly `prompt.text`; with `as: 'input'` a message for the
 * head of the input, the only form that can carry cache marks. Its parts concatenate to `prompt.text`; an empty prompt
 * gives no message. Throws `invalid-options` for options it cannot take.
 *
 * @example
 * client.responses.create({ model, ...toOpenAIResponses(prompt), input })
 * @example
 * const { input } = toOpenAIResponses(prompt, { as: 'input', cache: { ttl: '12h' } })
 * client.responses.create({ model, input: [...input, { role: 'user', content }] })
 */
export function toOpenAIResponses(prompt: ProviderPrompt, options?: OpenAIResponsesOptions): { instructions: string }
export function toOpenAIResponses(
  prompt: ProviderPrompt,
  options: OpenAIResponsesInputOptions,
): { input: OpenAIInputMessage[] }
export function toOpenAIResponses(
  prompt: ProviderPrompt,
  options?: OpenAIResponsesOptions | OpenAIResponsesInputOptions,
): { instructions: string } | { input: OpenAIInputMessage[] }
export function toOpenAIResponses(
  prompt: ProviderPrompt,
  options: OpenAIResponsesOptions | OpenAIResponsesInputOptions = {},
): { instructions: string } | { input: OpenAIInputMessage[] } {
  const where = 'toOpenAIResponses'
  checkNames(where, options, ['as', 'role', 'cache'])
  if (options.as === 'input') return { input: messagesOf(where, prompt, options) }
  if (options.as !== undefined && options.as !== 'instructions') {
    refuse(where, [{ path: 'as', message: `expected instructions or input, got ${describe(options.as)}` }])
  }
  const set = Object.entries(options).filter(([name, value]) => name !== 'as' && value !== undefined)
  refuse(
    where,
    set.map(([path]) => ({ path, message: "expected as: 'input' with it, as instructions are one string" })),
  )
  checkPrompt(where, prompt, ['text'])
  return { instructions: prompt.text }
}

function messagesOf(
  where: string,
  prompt: ProviderPrompt,
  { role = 'developer', cache = false }: OpenAIResponsesInputOptions,
): OpenAIInputMessage[] {
  checkRole(where, role)
  const content = markedBlocks(where, prompt, cache, openAIRules).map(
    ({ text, mark }): OpenAIInputText => ({ type: 'input_text', text, ...breakpoint(mark) }),
  )
  return content.length === 0 ? [] : [{ type: 'message', role, content }]
}
