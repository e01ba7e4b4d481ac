import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  toAISDK,
  toAnthropic,
  toGemini,
  toLangChain,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../../src/render/providers/index.js'
import { root } from '../../package/pack.js'
import { joined, longPrompt, promptOf } from './prompts.js'

/**
 * What each provider's own SDK makes of an output: the body of the request that it sends, to a `fetch` that answers
 * from here. An SDK that asks for a newer Node than this one is not started.
 */
const node = Number(process.versions.node.split('.')[0])

/** The least major version of Node that an SDK declares, and whether that is one too many here. */
function needs(sdk: string): { readonly name: string; readonly skip: boolean } {
  const { engines } = JSON.parse(readFileSync(join(root, 'node_modules', sdk, 'package.json'), 'utf8'))
  const least = Number(/^>=(\d+)/.exec(engines?.node ?? '')?.[1] ?? 0)
  return { name: least === 0 ? sdk : `${sdk} (needs Node ${least})`, skip: node < least }
}

interface Exchange {
  readonly bodies: unknown[]
  readonly fetch: (url: unknown, init?: { readonly body?: unknown }) => Promise<Response>
}

function answering(answer: object): Exchange {
  const bodies: unknown[] = []
  const fetch: Exchange['fetch'] = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)))
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
  }
  return { bodies, fetch }
}

const anthropicAnswer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
}

const responsesAnswer = {
  id: 'resp_1',
  object: 'response',
  created_at: 0,
  model: 'gpt-5.6',
  status: 'completed',
  output: [
    {
      id: 'out_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
    },
  ],
}

const chatAnswer = {
  id: 'chat_1',
  object: 'chat.completion',
  created: 0,
  model: 'gpt-5.6',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
}

const geminiAnswer = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] } }] }

const texts = longPrompt.sections.map(({ text }) => text)
const key = 'no-key'
const user = { role: 'user', content: 'Hi' } as const
const [anthropic, openai, ai, gemini, langchain] = [
  needs('@anthropic-ai/sdk'),
  needs('openai'),
  needs('ai'),
  needs('@google/genai'),
  needs('@langchain/core'),
]

afterEach(() => vi.unstubAllGlobals())

describe('on the wire', () => {
  it.skipIf(anthropic.skip)(`${anthropic.name}: system`, async () => {
    const { default: Anthropic } = await import('@anthropic-ai/sdk')
    const { bodies, fetch } = answering(anthropicAnswer)
    const client = new Anthropic({ apiKey: key, fetch, maxRetries: 0 })
    const system = toAnthropic(longPrompt, { cache: { model: 'claude-opus-5', ttl: { static: '1h' } } })
    await client.messages.create({ model: 'claude-opus-5', max_tokens: 8, system, messages: [user] })
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({
      system: [
        { type: 'text', text: texts[0], cache_control: { type: 'ephemeral', ttl: '1h' } },
        { type: 'text', text: texts[1], cache_control: { type: 'ephemeral' } },
        { type: 'text', text: texts[2] },
        { type: 'text', text: texts[3] },
      ],
    })
    expect(joined(system)).toBe(longPrompt.text)
  })

  it.skipIf(ai.skip)(`${ai.name}: instructions, to Anthropic`, async () => {
    const [{ generateText }, { createAnthropic }] = await Promise.all([import('ai'), import('@ai-sdk/anthropic')])
    const { bodies, fetch } = answering(anthropicAnswer)
    const model = createAnthropic({ apiKey: key, fetch })('claude-opus-5')
    await generateText({ model, instructions: toAISDK(longPrompt, { cache: { ttl: '1h' } }), prompt: 'Hi' })
    const cache_control = { type: 'ephemeral', ttl: '1h' }
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({
      system: [
        { type: 'text', text: texts[0], cache_control },
        { type: 'text', text: texts[1], cache_control },
        { type: 'text', text: texts[2] },
        { type: 'text', text: texts[3] },
      ],
    })
    expect(JSON.stringify(bodies[0]).split('cache_control')).toHaveLength(3)
  })

  it.skipIf(ai.skip)(`${ai.name}: instructions of an empty prompt`, async () => {
    const [{ generateText }, { createAnthropic }] = await Promise.all([import('ai'), import('@ai-sdk/anthropic')])
    const { bodies, fetch } = answering(anthropicAnswer)
    const model = createAnthropic({ apiKey: key, fetch })('claude-opus-5')
    await generateText({ model, instructions: toAISDK(promptOf()), prompt: 'Hi' })
    expect(bodies[0]).not.toHaveProperty('system')
  })

  it.skipIf(openai.skip)(`${openai.name}: instructions, and input with breakpoints`, async () => {
    const { default: OpenAI } = await import('openai')
    const { bodies, fetch } = answering(responsesAnswer)
    const client = new OpenAI({ apiKey: key, fetch, maxRetries: 0 })
    await client.responses.create({ model: 'gpt-5.6', ...toOpenAIResponses(longPrompt), input: 'Hi' })
    const { input } = toOpenAIResponses(longPrompt, { as: 'input', cache: { ttl: '30m' } })
    await client.responses.create({ model: 'gpt-5.6', input: [...input, user] })
    const prompt_cache_breakpoint = { mode: 'explicit', ttl: '30m' }
    expect(bodies).toEqual([
      { model: 'gpt-5.6', instructions: longPrompt.text, input: 'Hi' },
      {
        model: 'gpt-5.6',
        input: [
          {
            type: 'message',
            role: 'developer',
            content: [
              { type: 'input_text', text: texts[0], prompt_cache_breakpoint },
              { type: 'input_text', text: texts[1], prompt_cache_breakpoint },
              { type: 'input_text', text: texts[2] },
              { type: 'input_text', text: texts[3] },
            ],
          },
          user,
        ],
      },
    ])
  })

  it.skipIf(openai.skip)(`${openai.name}: messages`, async () => {
    const { default: OpenAI } = await import('openai')
    const { bodies, fetch } = answering(chatAnswer)
    const client = new OpenAI({ apiKey: key, fetch, maxRetries: 0 })
    const model = 'gpt-5.6'
    await client.chat.completions.create({ model, messages: [...toOpenAIChat(longPrompt), user] })
    const marked = toOpenAIChat(longPrompt, { role: 'developer', cache: { after: ['workspace'] } })
    await client.chat.completions.create({ model, messages: [...marked, user] })
    const content = [
      { type: 'text', text: texts[0] },
      { type: 'text', text: texts[1], prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'text', text: texts[2] },
      { type: 'text', text: texts[3] },
    ]
    expect(bodies).toEqual([
      { model, messages: [{ role: 'system', content: longPrompt.text }, user] },
      { model, messages: [{ role: 'developer', content }, user] },
    ])
  })

  it.skipIf(gemini.skip)(`${gemini.name}: systemInstruction`, async () => {
    const { GoogleGenAI } = await import('@google/genai')
    const { bodies, fetch } = answering(geminiAnswer)
    vi.stubGlobal('fetch', fetch)
    const client = new GoogleGenAI({ apiKey: key })
    const config = { systemInstruction: toGemini(longPrompt) }
    await client.models.generateContent({ model: 'gemini-3-flash', contents: 'Hi', config })
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({ systemInstruction: { parts: texts.map((text) => ({ text })) } })
  })

  it.skipIf(langchain.skip)(`${langchain.name}: a system message`, async () => {
    const { SystemMessage } = await import('@langchain/core/messages')
    const message = new SystemMessage(toLangChain(longPrompt, { cache: {} }))
    expect(message.text).toBe(longPrompt.text)
    expect(message.content).toEqual(toAnthropic(longPrompt))
    expect(new SystemMessage(toLangChain(longPrompt)).text).toBe(longPrompt.text)
  })
})
