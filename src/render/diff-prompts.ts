import { countTokens } from '../budget/count-tokens.js'
import { estimatedTokens } from '../budget/estimate.js'
import { freezeDeep } from '../plain-data.js'
import type { Section, SystemPrompt } from '../ports/prompt.js'
import type { TokenCount, TokenCounter } from '../ports/token-counter.js'
import { check, expecting } from '../validation.js'
import { firstDifference, type PromptDifference } from './first-difference.js'
import { type SectionChange, sectionChanges } from './section-changes.js'

/** What a change of the prompt costs, and where it is. Frozen plain data. */
export interface PromptDiff {
  /** Whether the texts are equal, unit by unit. */
  readonly same: boolean
  /** Where the texts first differ, and why. Left out when they are the same. */
  readonly first?: PromptDifference
  /**
   * `true`: a section of stability `static` or `workspace` is not, or not as a whole, in what both prompts begin with.
   * A change of the clock or of a hint costs nothing that was meant to last, as long as they stand last.
   */
  readonly hurts: boolean
  /** What both prompts begin with: at most this can a provider serve from its prefix cache. */
  readonly kept: PromptPart
  /** The rest of the earlier prompt, which no cache serves any more. */
  readonly lost: PromptPart
  /** The rest of the later prompt, which a provider reads anew. */
  readonly fresh: PromptPart
  /** Section by section, in the order of the later prompt; then what was removed. */
  readonly changes: readonly SectionChange[]
}

/**
 * `tokens` of what is kept and lost add up to those of the earlier prompt, of what is kept and fresh to those of the
 * later one. What is kept is counted up to the last line break
 * that no token reaches across, as the tokens of a line that goes on differently are not the same.
 */
export interface PromptPart extends TokenCount {
  /** UTF-16 units. */
  readonly chars: number
}

export interface DiffOptions {
  /** Default: an estimate. */
  readonly counter?: TokenCounter | undefined
}

/**
 * Tells what of an earlier prompt a provider's cache can still use for a later one, and what stands in the way of more:
 * the first section that differs, where in it, and why. Of the prompt alone: tools and messages, which a provider may
 * cache before or behind it, are not compared. Takes time in the length of the texts. Throws `invalid-options`
 * for what is no prompt.
 *
 * @example
 * const { first, hurts, fresh } = diffPrompts(last, prompt)
 * if (hurts) console.warn(`${first?.message} ${fresh.tokens} tokens are read anew.`)
 */
export function diffPrompts(before: SystemPrompt, after: SystemPrompt, options: DiffOptions = {}): PromptDiff {
  check('diffPrompts: before', prompts, before)
  check('diffPrompts: after', prompts, after)
  check('diffPrompts: options', diffOptions, options)
  const offset = commonLength(before, after)
  const changes = sectionChanges(before.sections, after.sections)
  const first = firstDifference(before, after, offset, changes)
  return freezeDeep({
    same: first === undefined,
    ...(first !== undefined && { first }),
    hurts: isLasting(before, offset),
    ...partsOf(before, after, offset, options.counter ?? estimatedTokens),
    changes,
  })
}

const prompts = expecting<SystemPrompt>('a prompt, as buildSystemPrompt gives', isPrompt)
const diffOptions = expecting<DiffOptions>('{ counter? } alone, a counter with a name and count(text)', isOptions)

function isPrompt(value: unknown): boolean {
  if (!isObject(value) || typeof value.text !== 'string') return false
  const { text, sections, sources } = value
  if (!Array.isArray(sections) || !Array.isArray(sources)) return false
  const texts = sections.map((section: unknown) => (isSection(section) ? section.text : undefined))
  return !texts.includes(undefined) && texts.join('') === text && sources.every(isSource)
}

function isSection(value: unknown): value is { readonly text: string } {
  return (
    isObject(value) &&
    ['id', 'layer', 'text', 'stability', 'fingerprint'].every((key) => typeof value[key] === 'string')
  )
}

function isSource(value: unknown): boolean {
  return isObject(value) && typeof value.path === 'string' && typeof value.state === 'string'
}

function isOptions(value: unknown): boolean {
  if (!isObject(value)) return false
  const { counter, ...others } = value
  if (Object.keys(others).length > 0) return false
  return counter === undefined || (isObject(counter) && typeof counter.count === 'function')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** UTF-16 units that both begin with. Sections that are equal are not looked at unit by unit. */
function commonLength(before: SystemPrompt, after: SystemPrompt): number {
  let offset = 0
  for (const [index, { text }] of before.sections.entries()) {
    if (after.sections[index]?.text !== text) break
    offset += text.length
  }
  const [one, other] = [before.text, after.text]
  const end = Math.min(one.length, other.length)
  while (offset < end && one.charCodeAt(offset) === other.charCodeAt(offset)) offset += 1
  return splitsPair(one, offset) || splitsPair(other, offset) ? offset - 1 : offset
}

function splitsPair(text: string, offset: number): boolean {
  return offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff
}

function isLasting({ sections }: SystemPrompt, kept: number): boolean {
  let end = 0
  return sections.some(({ text, stability }) => {
    end += text.length
    return end > kept && (stability === 'static' || stability === 'workspace')
  })
}

function partsOf(before: SystemPrompt, after: SystemPrompt, offset: number, counter: TokenCounter) {
  const all = countTokens(before, counter)
  const end = before.text === after.text ? offset : tokenEnd(before.text, after.text, offset)
  const isWhole = end === before.text.length
  const kept = isWhole ? all.tokens : Math.min(all.tokens, tokensUpTo(before, end, counter))
  // Whose parts do not add up cannot tell how many tokens of the whole stand in one of them.
  const exact = all.exact && (counter.additive === true || isWhole || end === 0)
  const later = countTokens(after, counter).tokens
  return {
    kept: { chars: offset, tokens: kept, exact },
    lost: { chars: before.text.length - offset, tokens: all.tokens - kept, exact },
    fresh: { chars: after.text.length - offset, tokens: Math.max(0, later - kept), exact },
  }
}

/** Whole sections by what is known of their count already. */
function tokensUpTo({ text, sections }: SystemPrompt, end: number, counter: TokenCounter): number {
  if (counter.additive !== true) return countTokens(text.slice(0, end), counter).tokens
  let start = 0
  const whole: Section[] = []
  for (const section of sections) {
    if (start + section.text.length > end) break
    start += section.text.length
    whole.push(section)
  }
  return (
    countTokens({ text: text.slice(0, start), sections: whole }, counter).tokens +
    countTokens(text.slice(start, end), counter).tokens
  )
}

/** The last place up to there that no token reaches across: behind a line break, before neither white space nor `/`. */
function tokenEnd(before: string, after: string, offset: number): number {
  for (let at = before.lastIndexOf('\n', offset - 1); at >= 0; at = at === 0 ? -1 : before.lastIndexOf('\n', at - 1)) {
    if (at < offset && startsPlainly(before, at + 1) && startsPlainly(after, at + 1)) return at + 1
  }
  return 0
}

function startsPlainly(text: string, at: number): boolean {
  return !/[\s/]/.test(text.charAt(at))
}
