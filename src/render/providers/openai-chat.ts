import type { ProviderPrompt } from './blocks.js'
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

export interface OpenAIChatOptions {
  /** Default `system`, which every compatible server knows. */
  readonly role?: OpenAIRole | undefined
  /** Default `false`: the content is one string. */
  readonly cache?: false | undefined
}

export interface OpenAIChatCacheOptions {
  /** Default `system`. */
  readonly role?: OpenAIRole | undefined
  /** The cache marks, which models before GPT-5.6 do not take; the content is then a list of parts. */
  readonly cache: CacheOptions<OpenAITtl>
}

/** For options of which only running tells whether there are marks. */
export interface OpenAIChatEitherOptions {
  readonly role?: OpenAIRole | undefined
  readonly cache?: CacheOptions<OpenAITtl> | false | undefined
}

export type OpenAIChatTextPart = { type: 'text'; text: string; prompt_cache_breakpoint?: OpenAICacheBreakpoint }

export type OpenAIChatMessage<Content extends string | OpenAIChatTextPart[] = string> = {
  role: OpenAIRole
  content: Content
}

/**
 * A prompt as the head of the `messages` of OpenAI's Chat Completions and of what is compatible with them: always one
 * message, as strict chat templates refuse a second system message, and exactly `prompt.text`; with `cache` its parts
 * concatenate to it. An empty prompt gives `[]`. Throws `invalid-options` for options it cannot take.
 *
 * @example
 * client.chat.completions.create({ model, messages: [...toOpenAIChat(prompt), { role: 'user', content }] })
 */
export function toOpenAIChat(prompt: ProviderPrompt, options?: OpenAIChatOptions): OpenAIChatMessage[]
export function toOpenAIChat(
  prompt: ProviderPrompt,
  options: OpenAIChatCacheOptions,
): OpenAIChatMessage<OpenAIChatTextPart[]>[]
export function toOpenAIChat(
  prompt: ProviderPrompt,
  options?: OpenAIChatOptions | OpenAIChatCacheOptions | OpenAIChatEitherOptions,
): OpenAIChatMessage[] | OpenAIChatMessage<OpenAIChatTextPart[]>[]
export function toOpenAIChat(
  prompt: ProviderPrompt,
  options: OpenAIChatOptions | OpenAIChatCacheOptions | OpenAIChatEitherOptions = {},
): OpenAIChatMessage[] | OpenAIChatMessage<OpenAIChatTextPart[]>[] {
  const where = 'toOpenAIChat'
  checkNames(where, options, ['role', 'cache'])
  const { role = 'system', cache = false } = options
  checkRole(where, role)
  const blocks = markedBlocks(where, prompt, cache, openAIRules)
  if (blocks.length === 0) return []
  if (cache === false) return [{ role, content: prompt.text }]
  const content = blocks.map(({ text, mark }): OpenAIChatTextPart => ({ type: 'text', text, ...breakpoint(mark) }))
  return [{ role, content }]
}
