import { type AnthropicCacheControl, type AnthropicOptions, anthropicRules, cacheControl } from './anthropic.js'
import type { ProviderPrompt } from './blocks.js'
import { markedBlocks } from './cache-marks.js'
import { checkNames } from './cache-options.js'

export type AISDKSystemMessage = {
  role: 'system'
  content: string
  providerOptions?: { anthropic: { cacheControl: AnthropicCacheControl } }
}

/**
 * A prompt as the `instructions` of the AI SDK 7, or the `system` of version 6: at most four system messages, which concatenate to `prompt.text`, with
 * marks that Anthropic's models read and all others ignore. `cache: false` gives one message, for models that take no
 * second. An empty prompt gives `[]`. Throws `invalid-options` for options it cannot take.
 *
 * @example
 * generateText({ model, instructions: toAISDK(prompt), prompt: renderUserMessage(prompt, input) })
 */
export function toAISDK(prompt: ProviderPrompt, options: AnthropicOptions = {}): AISDKSystemMessage[] {
  checkNames('toAISDK', options, ['cache'])
  return markedBlocks('toAISDK', prompt, options.cache ?? {}, anthropicRules).map(({ text, mark }) => ({
    role: 'system',
    content: text,
    ...(mark !== undefined && { providerOptions: { anthropic: { cacheControl: cacheControl(mark) } } }),
  }))
}
