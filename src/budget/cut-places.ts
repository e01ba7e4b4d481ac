import type { CutBoundary } from '../ports/layer.js'
import { boundaryAfter, boundaryBefore } from './graphemes.js'

/** How a place for a cut is found; see `CutOptions`. */
export interface PlaceOptions {
  readonly max: number
  readonly boundary?: CutBoundary | undefined
  readonly stepped?: boolean | undefined
  readonly gap?: number | undefined
  readonly total?: number | undefined
}

/** Of the cap, how far the start of a stepped tail moves at a time. */
const stepShare = 0.05

/**
 * Where a head of at most `room` units ends, and where the text after it goes on: behind the line ending, where it ends
 * with a line.
 */
export function headPlace(text: string, room: number, { boundary, gap }: PlaceOptions): { end: number; next: number } {
  const exact = boundaryBefore(text, room)
  const whole = { end: exact, next: exact }
  if (boundary !== 'line' || exact === 0) return whole
  // What stands behind the gap does not say whether a line ends before it.
  const newline = text.lastIndexOf('\n', exact === gap ? exact - 1 : exact)
  if (newline < exact / 2) return whole
  return { end: text[newline - 1] === '\r' ? newline - 1 : newline, next: newline + 1 }
}

/** Where a tail of at most `room` units starts, at `least` or behind it. */
export function tailPlace(text: string, room: number, least: number, options: PlaceOptions): number {
  const { boundary, gap } = options
  const needed = Math.max(text.length - room, least)
  const exact = boundaryAfter(text, options.stepped ? stepAfter(text, needed, room, options) : needed)
  if (boundary !== 'line') return exact
  const known = exact !== gap && exact > 0
  if (known && text[exact - 1] === '\n') return exact
  const start = text.indexOf('\n', exact) + 1
  // Half of the room and not of what is there, which grows with the file while its steps stand still.
  return start > 0 && start <= exact + room / 2 ? start : exact
}

/** The next step at or behind a place. Steps are counted from the start of the file. */
function stepAfter(text: string, place: number, room: number, { max, total }: PlaceOptions): number {
  // Half of a small room at most, so that a step never takes it all.
  const step = Math.max(1, Math.min(share(max, stepShare), Math.floor(room / 2)))
  const before = (total ?? text.length) - text.length
  return Math.min(text.length, Math.ceil((before + place) / step) * step - before)
}

/** The floor that a person would compute: 0.7 × 130 is 91, not 90.99999999999999. */
export function share(max: number, ratio: number): number {
  return Math.floor(max * ratio + 1e-9)
}
