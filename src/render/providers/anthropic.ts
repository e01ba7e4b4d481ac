import type { ProviderPrompt } from './blocks.js'
import { type CacheMark, markedBlocks } from './cache-marks.js'
import { type CacheOptions, type CacheRules, checkNames } from './cache-options.js'

export type AnthropicTtl = '5m' | '1h'

export interface AnthropicOptions {
  /** The cache marks. Default: after the static and after the workspace part. `false`: none, and one block. */
  readonly cache?: CacheOptions<AnthropicTtl> | false | undefined
}

export type AnthropicCacheControl = { type: 'ephemeral'; ttl?: AnthropicTtl }

export type AnthropicTextBlock = { type: 'text'; text: string; cache_control?: AnthropicCacheControl }

/**
 * The least of all known models where none is named: a mark on too short a prefix costs nothing, and a mark that is
 * missing costs the cache.
 */
export const anthropicRules: CacheRules<AnthropicTtl> = { ttls: ['5m', '1h'], minimum: 512 }

/**
 * A prompt as the `system` of Anthropic's Messages API: at most four text blocks, which concatenate to `prompt.text`.
 * An empty prompt gives `[]`, as the API refuses empty text. Throws `invalid-options` for options it cannot take.
 *
 * @example
 * client.messages.create({ model, max_tokens: 1024, system: toAnthropic(prompt, { cache: { model } }), messages })
 */
export function toAnthropic(prompt: ProviderPrompt, options: AnthropicOptions = {}): AnthropicTextBlock[] {
  checkNames('toAnthropic', options, ['cache'])
  return anthropicBlocks('toAnthropic', prompt, options.cache ?? {})
}

/** Text blocks in Anthropic's form, which LangChain hands on as they are. */
export function anthropicBlocks(
  where: string,
  prompt: ProviderPrompt,
  cache: CacheOptions<AnthropicTtl> | false,
): AnthropicTextBlock[] {
  return markedBlocks(where, prompt, cache, anthropicRules).map(({ text, mark }) => ({
    type: 'text',
    text,
    ...(mark !== undefined && { cache_control: cacheControl(mark) }),
  }))
}

export function cacheControl({ ttl }: CacheMark<AnthropicTtl>): AnthropicCacheControl {
  return { type: 'ephemeral', ...(ttl !== undefined && { ttl }) }
}
