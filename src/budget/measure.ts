import type { TotalBudget } from '../ports/agent.js'
import type { Section } from '../ports/prompt.js'
import type { TokenCounter } from '../ports/token-counter.js'
import { checkedCount, tokensOfSection } from './count-tokens.js'
import { estimatedTokens } from './estimate.js'

/** In what a total is counted. */
export interface Measure {
  readonly unit: 'chars' | 'tokens'
  /** `undefined` for chars. */
  readonly counter: TokenCounter | undefined
  readonly exact: boolean
  sizeOf(text: string): number
  /** Of one section as it stands in the prompt. */
  sectionSize(section: Section): number
  /** Of sections that stand one behind another. */
  wholeSize(sections: readonly Section[]): number
}

const inChars: Measure = Object.freeze({
  unit: 'chars',
  counter: undefined,
  exact: true,
  sizeOf: (text: string) => text.length,
  sectionSize: (section: Section) => section.chars,
  wholeSize: (sections: readonly Section[]) => sections.reduce((sum, { chars }) => sum + chars, 0),
})

/** The measure of a total; one by a counter throws `invalid-options` where the counter fails. */
export function measureFor(total: TotalBudget): Measure {
  return total.chars !== undefined ? inChars : inTokens(total.counter ?? estimatedTokens)
}

export function inTokens(counter: TokenCounter): Measure {
  return {
    unit: 'tokens',
    counter,
    exact: counter.exact === true,
    sizeOf: (text) => checkedCount(counter, text),
    sectionSize: (section) => tokensOfSection(section, counter),
    wholeSize: (sections) => {
      if (counter.additive !== true) return checkedCount(counter, sections.map((section) => section.text).join(''))
      return sections.reduce((sum, section) => sum + tokensOfSection(section, counter), 0)
    },
  }
}
