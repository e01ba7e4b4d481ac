import { type AnthropicOptions, type AnthropicTextBlock, anthropicBlocks } from './anthropic.js'
import type { ProviderPrompt } from './blocks.js'
import { checkNames } from './cache-options.js'

export type LangChainSystemFields = { content: AnthropicTextBlock[] }

/**
 * A prompt as the fields of a LangChain `SystemMessage`, whose parts concatenate to `prompt.text`. By default one part
 * without a mark, as LangChain hands marks on to any model and not every provider takes them; `cache` sets those of
 * Anthropic. An empty prompt gives no parts. Throws `invalid-options` for options it cannot take.
 *
 * @example
 * new SystemMessage(toLangChain(prompt, { cache: { model: 'claude-sonnet-5' } }))
 */
export function toLangChain(prompt: ProviderPrompt, options: AnthropicOptions = {}): LangChainSystemFields {
  checkNames('toLangChain', options, ['cache'])
  return { content: anthropicBlocks('toLangChain', prompt, options.cache ?? false) }
}
