import type { TokenCounter } from '../ports/token-counter.js'
import { describe, refuse } from '../validation.js'
import { classes, classTable } from './estimate-classes.js'
import { REPEATED, REPEATED_SPACE, type State, step, TOKEN } from './estimate-costs.js'

/**
 * Estimates tokens by classes of characters, without a tokenizer: most prose, code and data within a fifth of what
 * `o200k_base` says, in any script. `docs/performance.md` shows the error. Nothing is promised of a single text: where
 * a limit has to hold, count with `gptTokenCounter` of `soulprompt/tokenizer`.
 *
 * Additive, as each line is rounded by itself. Any text but the empty one has a token at least.
 */
export const estimatedTokens: TokenCounter = Object.freeze({
  name: 'estimate',
  exact: false,
  additive: true,
  count(text: string) {
    if (typeof text !== 'string') {
      refuse('the estimate of tokens', [{ path: '', message: `expected a string, got ${describe(text)}` }])
    }
    tables ??= estimateTables()
    return estimate(text, tables)
  },
})

interface Tables {
  /** The class of every UTF-16 unit. */
  readonly classOf: Uint8Array
  /** The costs of a state's classes, one state after another: the cost, and in the lower bits where the next one's are. */
  readonly steps: Uint32Array
}

let tables: Tables | undefined

/** As many as classes, at least, and a power of two. */
const ROW = 32
const NEXT_BITS = 16
const NEXT_MASK = (1 << NEXT_BITS) - 1
const START = 0
const NEWLINE_UNIT = 0x0a
const SPACE = classes.indexOf('space')
const NEWLINE = classes.indexOf('newline')
/** Of these, many in a row are one token. */
const REPEATING = new Set(
  (['space', 'newline', 'lower', 'upper', 'mark'] as const).map((name) => classes.indexOf(name)),
)

function estimate(text: string, { classOf, steps }: Tables): number {
  const { length } = text
  let tokens = 0
  let cost = 0
  let state = START
  let before = -1
  let repeats = 0
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index)
    const found = classOf[unit] as number
    const step = steps[state + found] as number
    state = step & NEXT_MASK
    if (unit !== before) {
      before = unit
      repeats = 0
      cost += step >> NEXT_BITS
    } else {
      repeats += 1
      if (repeats < 3 || !REPEATING.has(found)) cost += step >> NEXT_BITS
      else cost += found === SPACE ? REPEATED_SPACE : REPEATED
    }
    if (unit === NEWLINE_UNIT && index + 1 < length) {
      // A line ends where the next starts with no white space: there the state is that of a start.
      const next = classOf[text.charCodeAt(index + 1)]
      if (next === SPACE || next === NEWLINE) continue
      tokens += rounded(cost)
      cost = 0
    }
  }
  return length === 0 ? 0 : tokens + rounded(cost)
}

function rounded(cost: number): number {
  return Math.max(1, Math.round(cost / TOKEN))
}

function estimateTables(): Tables {
  const states: State[] = ['newline']
  const steps: number[] = []
  for (const [row, state] of states.entries()) {
    for (const [column, unit] of classes.entries()) {
      const { cost, next } = step(state, unit)
      if (!states.includes(next)) states.push(next)
      steps[row * ROW + column] = (cost << NEXT_BITS) | (states.indexOf(next) * ROW)
    }
  }
  return { classOf: classTable(), steps: Uint32Array.from(steps) }
}
