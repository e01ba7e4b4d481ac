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
  /** By state and class: the cost, and in the lower bits the state that follows. */
  readonly steps: Uint16Array
}

let tables: Tables | undefined

const CLASSES = classes.length
const STATE_BITS = 6
const STATE_MASK = (1 << STATE_BITS) - 1
const START = 0
const SPACE = classes.indexOf('space')
const NEWLINE = classes.indexOf('newline')
/** Of these, many in a row are one token. */
const REPEATING = new Set(
  (['space', 'newline', 'lower', 'upper', 'mark'] as const).map((name) => classes.indexOf(name)),
)

function estimate(text: string, { classOf, steps }: Tables): number {
  let tokens = 0
  let cost = 0
  let state = START
  let before = -1
  let repeats = 0
  let open = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const found = classOf[unit] ?? 0
    const taken = steps[state * CLASSES + found] ?? 0
    state = taken & STATE_MASK
    if (unit !== before) {
      // A line ends where the next starts with no white space: there the state is that of a start.
      if (before === 0x0a && found !== SPACE && found !== NEWLINE) {
        tokens += rounded(cost)
        cost = 0
        open = index
      }
      before = unit
      repeats = 0
      cost += taken >> STATE_BITS
    } else {
      repeats += 1
      if (repeats < 3 || !REPEATING.has(found)) cost += taken >> STATE_BITS
      else cost += found === SPACE ? REPEATED_SPACE : REPEATED
    }
  }
  return open < text.length ? tokens + rounded(cost) : tokens
}

function rounded(cost: number): number {
  return Math.max(1, Math.round(cost / TOKEN))
}

function estimateTables(): Tables {
  const states: State[] = ['newline']
  const steps: number[] = []
  for (const state of states) {
    for (const unit of classes) {
      const { cost, next } = step(state, unit)
      if (!states.includes(next)) states.push(next)
      steps.push((cost << STATE_BITS) | states.indexOf(next))
    }
  }
  return { classOf: classTable(), steps: Uint16Array.from(steps) }
}
