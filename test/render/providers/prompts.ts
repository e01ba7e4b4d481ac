import fc from 'fast-check'
import type { Stability } from '../../../src/ports/index.js'
import type { ProviderPrompt } from '../../../src/render/providers/index.js'

/** A prompt of sections as they are written, with the blank line that every section ends with. */
export function promptOf(...sections: readonly (readonly [Stability, string])[]): ProviderPrompt {
  const ended = sections.map(([stability, text]) => ({ stability, text: `${text}\n\n` }))
  return { text: ended.map(({ text }) => text).join(''), sections: ended }
}

export const stabilities = ['static', 'workspace', 'session', 'turn'] as const

/** Any stabilities in any order, from no section to many. */
export const anyPrompt = fc
  .array(fc.tuple(fc.constantFrom(...stabilities), fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 12 })
  .map((sections) => promptOf(...sections))

/** One section of each stability, each long enough for any minimum. */
export const longPrompt = promptOf(
  ['static', 'You are Ada. '.repeat(2_000)],
  ['workspace', 'Remember this. '.repeat(2_000)],
  ['session', 'It is Monday.'],
  ['turn', 'The web is down.'],
)

/** The texts that a value holds, wherever they stand in it, in order. */
export function joined(blocks: readonly { readonly text: string }[]): string {
  return blocks.map(({ text }) => text).join('')
}
