import type Anthropic from '@anthropic-ai/sdk'
import type { GenerateContentConfig } from '@google/genai'
import type { SystemMessage } from '@langchain/core/messages'
import type { generateText, Instructions } from 'ai'
import type OpenAI from 'openai'
import { describe, expectTypeOf, it } from 'vitest'
import type { SystemPrompt } from '../../src/ports/index.js'
import {
  type AnthropicTextBlock,
  type ProviderPrompt,
  toAISDK,
  toAnthropic,
  toGemini,
  toLangChain,
  toOpenAIChat,
  toOpenAIResponses,
  toText,
} from '../../src/render/providers/index.js'

const prompt: ProviderPrompt = { text: '', sections: [] }

// Checked by the compiler: `npm run types`. What is assigned to is the type of the provider's own SDK.
describe('the provider outputs', () => {
  it('take a system prompt, or as much of one as they read', () => {
    expectTypeOf<SystemPrompt>().toExtend<ProviderPrompt>()
    expectTypeOf(toAnthropic).parameter(0).toEqualTypeOf<ProviderPrompt>()
    expectTypeOf(toText(prompt)).toEqualTypeOf<string>()
  })

  it('fit Anthropic', () => {
    const params: Anthropic.MessageCreateParamsNonStreaming = {
      model: 'claude-opus-5',
      max_tokens: 1,
      messages: [],
      system: toAnthropic(prompt, { cache: { ttl: { static: '1h' } } }),
    }
    const counted: Anthropic.MessageCountTokensParams['system'] = toAnthropic(prompt)
    void [params, counted]
  })

  it('fit the AI SDK', () => {
    const instructions: Instructions = toAISDK(prompt)
    const option: Parameters<typeof generateText>[0]['instructions'] = toAISDK(prompt, { cache: false })
    void [instructions, option]
  })

  it('fit OpenAI', () => {
    const plain: OpenAI.Responses.ResponseCreateParamsNonStreaming = { input: 'Hi', ...toOpenAIResponses(prompt) }
    const { input } = toOpenAIResponses(prompt, { as: 'input', cache: { ttl: '12h' } })
    const marked: OpenAI.Responses.ResponseCreateParams = { input: [...input, { role: 'user', content: 'Hi' }] }
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = toOpenAIChat(prompt, { role: 'developer' })
    const parts: OpenAI.Chat.ChatCompletionMessageParam[] = toOpenAIChat(prompt, { cache: { ttl: '30m' } })
    void [plain, marked, messages, parts]
  })

  it('fit Gemini', () => {
    const config: GenerateContentConfig = { systemInstruction: toGemini(prompt) }
    void config
  })

  it('fit LangChain', () => {
    const fields: ConstructorParameters<typeof SystemMessage>[0] = toLangChain(prompt, { cache: {} })
    void fields
  })

  it('say by their options which form comes back', () => {
    expectTypeOf(toOpenAIResponses(prompt)).toEqualTypeOf<{ instructions: string }>()
    expectTypeOf(toOpenAIResponses(prompt, { as: 'input' }).input).items.toHaveProperty('content')
    expectTypeOf(toOpenAIChat(prompt)[0]?.content).toEqualTypeOf<string | undefined>()
    expectTypeOf(toOpenAIChat(prompt, { cache: {} })[0]?.content).toExtend<readonly object[] | undefined>()
  })

  it('give data of the host’s own, to change as it likes', () => {
    expectTypeOf(toAnthropic).returns.toEqualTypeOf<AnthropicTextBlock[]>()
    const blocks = toAnthropic(prompt)
    blocks.push({ type: 'text', text: 'More.' })
    for (const block of blocks) block.cache_control = { type: 'ephemeral' }
  })

  it('refuse what a provider would refuse', () => {
    // Never called: the compiler reads it.
    const calls = () => {
      // @ts-expect-error no such lifetime
      toAnthropic(prompt, { cache: { ttl: '30m' } })
      // @ts-expect-error nothing is cached behind what changes each turn
      toAnthropic(prompt, { cache: { after: ['turn'] } })
      // @ts-expect-error no such option
      toAISDK(prompt, { chache: {} })
      // @ts-expect-error instructions take no marks
      toOpenAIResponses(prompt, { as: 'instructions', cache: {} })
      // @ts-expect-error no such role of a system prompt
      toOpenAIChat(prompt, { role: 'user' })
      // @ts-expect-error a text is no prompt
      toGemini('You are …')
      // @ts-expect-error a string alone is no list of blocks
      const system: Anthropic.TextBlockParam[] = toText(prompt)
      // @ts-expect-error blocks of Anthropic are no input of OpenAI
      const input: OpenAI.Responses.ResponseInput = toAnthropic(prompt)
      // @ts-expect-error nor messages of the AI SDK
      const instructions: Instructions = toAnthropic(prompt)
      // @ts-expect-error nor an instruction of Gemini
      const config: GenerateContentConfig = { systemInstruction: toOpenAIResponses(prompt) }
      // @ts-expect-error nor the fields of a message of LangChain
      const fields: ConstructorParameters<typeof SystemMessage>[0] = toGemini(prompt)
      return [system, input, instructions, config, fields]
    }
    void calls
  })
})
