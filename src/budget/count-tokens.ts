import { reasonOf } from '../diagnostics.js'
import { once } from '../plain-data.js'
import type { Section, SystemPrompt } from '../ports/prompt.js'
import type { TokenCount, TokenCounter } from '../ports/token-counter.js'
import { describe, refuse } from '../validation.js'
import { estimatedTokens } from './estimate.js'

type Counted = Pick<SystemPrompt, 'text' | 'sections'>

/** A section's text never changes, so a counter is asked about it once. */
const ofSections = new WeakMap<TokenCounter, WeakMap<Section, number>>()
const ofPrompts = new WeakMap<TokenCounter, WeakMap<Counted, number>>()

/**
 * How many tokens a prompt has: by its sections where the counter's counts add up, each counted once, else as a whole.
 * Tokens are of the counter's encoding; models of other vendors have others.
 *
 * @param counter - Default: an estimate by classes of characters, whose error `docs/performance.md` shows.
 * @returns `exact: false` for an estimate. Throws `invalid-options` for a counter that throws or gives anything but a
 * whole number.
 * @example
 * countTokens(prompt, await gptTokenCounter()).tokens
 */
export function countTokens(prompt: string | Counted, counter: TokenCounter = estimatedTokens): TokenCount {
  check(prompt, counter)
  return { tokens: countOf(prompt, counter), exact: counter.exact === true }
}

function countOf(prompt: string | Counted, counter: TokenCounter): number {
  if (typeof prompt === 'string') return checkedCount(counter, prompt)
  if (counter.additive !== true) return remembered(ofPrompts, counter, prompt, prompt.text)
  return prompt.sections.reduce((sum, section) => sum + tokensOfSection(section, counter), 0)
}

/** Asked once of each section that cannot change. */
export function tokensOfSection(section: Section, counter: TokenCounter): number {
  return remembered(ofSections, counter, section, section.text)
}

function remembered<Key extends object>(
  known: WeakMap<TokenCounter, WeakMap<Key, number>>,
  counter: TokenCounter,
  key: Key,
  text: string,
): number {
  // What somebody wrote by hand they may change by hand.
  if (!Object.isFrozen(key)) return checkedCount(counter, text)
  return once(
    once(known, counter, () => new WeakMap<Key, number>()),
    key,
    () => checkedCount(counter, text),
  )
}

/** What a counter says of a text. Throws `invalid-options` where it throws, or says anything but a whole number from 0 on. */
export function checkedCount(counter: TokenCounter, text: string): number {
  let count: unknown
  try {
    count = counter.count(text)
    // Nobody else would look at what became of it.
    if (count instanceof Promise) count.catch(() => {})
  } catch (error) {
    refuse(`the token counter ${counter.name}`, [{ path: '', message: `threw: ${reasonOf(error)}` }], error)
  }
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  const came = count instanceof Promise ? 'a promise: count has to be synchronous' : describe(count)
  const message = `expected a whole number of tokens, 0 or more, got ${came}`
  refuse(`the token counter ${counter.name}`, [{ path: '', message }])
  return 0
}

function check(prompt: unknown, counter: unknown): void {
  const isPrompt = typeof prompt === 'string' || isWhole(prompt)
  const isCounter = isObject(counter) && typeof counter.name === 'string' && typeof counter.count === 'function'
  refuse('countTokens', [
    ...(isPrompt
      ? []
      : [
          {
            path: 'prompt',
            message: `expected a text, or a prompt whose sections are its text, got ${describe(prompt)}`,
          },
        ]),
    ...(isCounter
      ? []
      : [{ path: 'counter', message: `expected a token counter: { name, count }, got ${cameAsCounter(counter)}` }]),
  ])
}

/** By length: a count is asked for more often than a text is put together. */
function isWhole(prompt: unknown): boolean {
  if (!isObject(prompt) || typeof prompt.text !== 'string' || !Array.isArray(prompt.sections)) return false
  const texts = prompt.sections.map((section: unknown) => (isObject(section) ? section.text : undefined))
  const chars = texts.reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : Number.NaN), 0)
  return chars === prompt.text.length
}

function cameAsCounter(counter: unknown): string {
  return counter instanceof Promise ? 'a promise: await it' : describe(counter)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
