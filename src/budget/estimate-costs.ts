import type { UnitClass } from './estimate-classes.js'

/** Costs are in hundredths of a token: sums of whole numbers are the same in any order. */
export const TOKEN = 100

/** The fourth of the same in a row and those behind it. */
export const REPEATED = 10
export const REPEATED_SPACE = 1

/** Letters of a word that are told apart by their place. */
const WORD_PLACES = 12

/** What came before: a class, or for some a place in a run of it. */
export type State =
  | Exclude<UnitClass, 'lower' | 'upper' | 'latin' | 'digit'>
  | `word ${number}`
  | `digit ${number}`
  | 'capital'
  | 'capitals'
  | 'indent'
  | 'spaces'

export interface Step {
  /** In parts of a token. */
  readonly cost: number
  readonly next: State
}

type Script = Exclude<UnitClass, 'space' | 'newline' | 'lower' | 'upper' | 'digit' | 'mark' | 'latin'>

/** The first of a run behind a space, the first behind anything else, and each after it. */
const scripts: Readonly<Record<Script, { readonly spaced: number; readonly first: number; readonly more: number }>> = {
  greek: { spaced: 84, first: 89, more: 35 },
  cyrillic: { spaced: 86, first: 90, more: 19 },
  hebrew: { spaced: 89, first: 90, more: 38 },
  arabic: { spaced: 81, first: 85, more: 29 },
  indic: { spaced: 35, first: 90, more: 41 },
  southeast: { spaced: 130, first: 92, more: 38 },
  hangul: { spaced: 105, first: 89, more: 60 },
  kana: { spaced: 100, first: 93, more: 57 },
  han: { spaced: 103, first: 81, more: 76 },
  wideMark: { spaced: 100, first: 90, more: 70 },
  symbol: { spaced: 102, first: 89, more: 52 },
  pair: { spaced: 101, first: 120, more: 99 },
  joiner: { spaced: 100, first: 89, more: 50 },
  other: { spaced: 100, first: 100, more: 100 },
}

/** A unit of a class behind a state. The costs are fitted to counts of o200k_base; `npm run bench:tokens` shows how well. */
export function step(state: State, unit: UnitClass): Step {
  switch (unit) {
    case 'space':
      return space(state)
    case 'newline':
      return { cost: state === 'newline' ? 5 : state === 'mark' ? 0 : 47, next: 'newline' }
    case 'digit':
      if (state === 'digit 1') return { cost: 0, next: 'digit 2' }
      if (state === 'digit 2') return { cost: 0, next: 'digit 3' }
      return { cost: isDigit(state) ? 99 : isBreak(state) ? 132 : 115, next: 'digit 1' }
    case 'mark':
      return { cost: state === 'mark' ? 22 : isDigit(state) ? 101 : isBreak(state) ? 84 : 51, next: 'mark' }
    case 'upper':
      return upper(state)
    case 'lower':
      return lower(state)
    case 'latin': {
      const { cost, next } = lower(state)
      if (isWordPlace(state)) return { cost: cost + (cost > 30 ? 27 : 28), next }
      return { cost: inWord(state) ? 41 : isBreak(state) ? 130 : 100, next }
    }
    default: {
      const { spaced, first, more } = scripts[unit]
      return { cost: state === unit ? more : isSpace(state) ? spaced : first, next: unit }
    }
  }
}

function space(state: State): Step {
  if (state === 'newline') return { cost: 46, next: 'indent' }
  if (state === 'indent') return { cost: 16, next: 'spaces' }
  if (state === 'spaces') return { cost: 3, next: 'spaces' }
  return state === 'space' ? { cost: 37, next: 'spaces' } : { cost: 0, next: 'space' }
}

function upper(state: State): Step {
  if (isWordPlace(state)) return { cost: 104, next: 'capital' }
  if (inWord(state)) return { cost: 32, next: 'capitals' }
  return { cost: isBreak(state) ? 101 : isDigit(state) ? 109 : state === 'mark' ? 77 : 100, next: 'capital' }
}

function lower(state: State): Step {
  if (state === 'capital') return { cost: 0, next: 'word 2' }
  if (state === 'capitals') return { cost: 39, next: 'word 2' }
  if (isWordPlace(state)) {
    const place = Number(state.slice('word '.length)) + 1
    const cost = place <= 4 ? 2 : place <= 7 ? 34 : place < WORD_PLACES ? 20 : 19
    return { cost, next: `word ${Math.min(place, WORD_PLACES)}` }
  }
  return { cost: isBreak(state) ? 78 : isDigit(state) ? 105 : state === 'mark' ? 73 : 100, next: 'word 1' }
}

const isWordPlace = (state: State) => state.startsWith('word ')
const inWord = (state: State) => isWordPlace(state) || state === 'capital' || state === 'capitals'
const isDigit = (state: State) => state.startsWith('digit ')
const isSpace = (state: State) => state === 'space' || state === 'indent' || state === 'spaces'
const isBreak = (state: State) => state === 'newline' || isSpace(state)
