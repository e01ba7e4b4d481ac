export {
  type AISDKSystemMessage,
  toAISDK,
} from './ai-sdk.js'
export {
  type AnthropicCacheControl,
  type AnthropicOptions,
  type AnthropicTextBlock,
  type AnthropicTtl,
  toAnthropic,
} from './anthropic.js'
export type { ProviderPrompt } from './blocks.js'
export type { CacheOptions, CachePoint } from './cache-options.js'
export { type GeminiInstruction, toGemini } from './gemini.js'
export { type LangChainSystemFields, toLangChain } from './langchain.js'
export { minimumCacheTokens } from './minimum-tokens.js'
export type { OpenAICacheBreakpoint, OpenAIRole, OpenAITtl } from './openai.js'
export {
  type OpenAIChatCacheOptions,
  type OpenAIChatEitherOptions,
  type OpenAIChatMessage,
  type OpenAIChatOptions,
  type OpenAIChatTextPart,
  toOpenAIChat,
} from './openai-chat.js'
export {
  type OpenAIInputMessage,
  type OpenAIInputText,
  type OpenAIResponsesInputOptions,
  type OpenAIResponsesOptions,
  toOpenAIResponses,
} from './openai-responses.js'
export { toText } from './text.js'
