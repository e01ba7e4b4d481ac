import { PromptError } from '../../errors.js'
import type { TokenCounter } from '../../ports/token-counter.js'
import { loadCl100k, loadO200k } from './encodings.js'

const loaders = {
  o200k_base: loadO200k,
  // It has other special tokens alone, and those are plain text here.
  o200k_harmony: loadO200k,
  cl100k_base: loadCl100k,
} as const

/**
 * `o200k_base`: GPT-4o, GPT-4.1, GPT-5, o1 and later. `o200k_harmony`: gpt-oss, the same counts. `cl100k_base`: GPT-4,
 * GPT-3.5 and the embeddings of their time.
 */
export type GptEncoding = keyof typeof loaders

/**
 * Counts the tokens of a text exactly, as OpenAI's models do: for the budget of an agent, or {@link countTokens}.
 *
 * The table of the encoding is loaded at the first call and shared by all counters. `<|endoftext|>` and its like are
 * plain text. Any text is counted in time that grows with its length; of a text that was counted before in part, only
 * the lines that are new. What is remembered for that are at most 32 Mi UTF-16 units of text an encoding.
 *
 * @param encoding default `o200k_base`
 * @throws PromptError `invalid-options` for an encoding it does not know. The counter throws it for anything but a
 * string.
 *
 * @example
 * const counter = await gptTokenCounter()
 * counter.count('Hello, world!') // 4
 */
export async function gptTokenCounter(encoding: GptEncoding = 'o200k_base'): Promise<TokenCounter> {
  if (!Object.hasOwn(loaders, encoding)) {
    const known = Object.keys(loaders).join(', ')
    throw new PromptError('invalid-options', `gptTokenCounter: expected one of ${known}, got ${shown(encoding)}`)
  }
  const count = await loaders[encoding]()
  return Object.freeze({
    name: encoding,
    exact: true,
    additive: true,
    count(text: string) {
      if (typeof text === 'string') return count(text)
      throw new PromptError('invalid-options', `${encoding}: expected a string to count, got ${shown(text)}`)
    },
  })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`
}
