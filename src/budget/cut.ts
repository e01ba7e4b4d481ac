import type { CutBoundary, CutStrategy } from '../ports/layer.js'
import { headPlace, share, tailPlace } from './cut-places.js'
import { cutToSections } from './cut-sections.js'

/** UTF-16 units of the text that are shown, word for word. */
export interface Kept {
  readonly head: number
  readonly tail: number
}

/** The sections whose text is not shown. */
export interface LeftOut {
  /** Distinct titles of the first of them, each one short line. */
  readonly names: readonly string[]
  readonly count: number
}

/** What is left of a text that did not fit. */
export interface Cut {
  /** The beginning of the text; with `leftOut`, its sections that fit, in order. */
  readonly head: string
  /** Two lines, one, or `''` where no marker fits. */
  readonly marker: string
  /** The end of the text. */
  readonly tail: string
  /** Left out where `head` and `tail` are word for word what they are of the text. */
  readonly kept?: Kept
  /** Where the text was cut by its sections. */
  readonly leftOut?: LeftOut
}

export interface CutOptions {
  readonly max: number
  readonly head: number
  readonly tail: number
  readonly strategy: CutStrategy
  /** Default `exact`. */
  readonly boundary?: CutBoundary | undefined
  /** `true`: the start of the tail moves in steps of 5 % of `max`. Default `false`. */
  readonly stepped?: boolean | undefined
  /** Where the two ends of a large file meet; its middle is not there. */
  readonly gap?: number | undefined
  /** UTF-16 units of the file that a text with a `gap` comes from: its steps are counted there. Default: the text's. */
  readonly total?: number | undefined
  /** The marker for what was kept; it may not grow when the numbers shrink. With `leftOut`, for a cut by sections. */
  readonly marker: (kept: Kept, leftOut?: LeftOut) => string
  /** Stands also under a heading whose text is left out. */
  readonly compactMarker: string
}

const blankLine = '\n\n'

/**
 *   ├────────── 70 % ──────────┤ ⏎⏎ marker ⏎⏎ ├── 20 % ──┤      head-tail
 *                                marker ⏎⏎ ├── the rest ──┤      newest
 *   ├─ # A … ─┤├─ # C … ─┤├─ # D [...] ─┤ ⏎⏎ marker              sections
 *
 * A text of at most `max` UTF-16 units is not cut: `undefined`. Otherwise head, marker and tail together are never
 * longer than `max`: the full marker if it fits, else a compact one, else none. No grapheme is ever split.
 */
export function cutText(text: string, options: CutOptions): Cut | undefined {
  const { strategy, gap, max } = options
  if (gap === undefined && text.length <= max) return undefined
  if (strategy === 'newest') return cutToNewest(text, options)
  if (strategy === 'head-tail') return cutToEnds(text, options)
  // Which sections are in the middle of a file that was read by its two ends is not known.
  const sections = gap === undefined ? cutToSections(text, options) : undefined
  return sections ?? cutToEnds(text, { ...options, boundary: 'line' })
}

/** The text that a cut shows. */
export function joinCut({ head, marker, tail }: Cut): string {
  // Joined, as a sum is slower to go through, and a counter does.
  if (marker === '') return [head, tail].join('')
  return [head, marker, tail].filter((part) => part !== '').join(blankLine)
}

function cutToEnds(text: string, options: CutOptions): Cut {
  const { max, gap, marker, compactMarker, stepped } = options
  const { end, next } = headPlace(text, Math.min(share(max, options.head), gap ?? text.length), options)
  const room = share(max, options.tail)
  const tail = text.slice(tailPlace(text, room, gap ?? 0, options))
  const head = text.slice(0, end)
  // A tail that grows up to its next step may not cost the marker that stands before it.
  const taken = (head === '' ? 0 : head.length + 2) + (tail === '' ? 0 : (stepped ? room : tail.length) + 2)
  const candidates = [marker({ head: head.length, tail: tail.length }), compactMarker]
  const fitting = candidates.find((candidate) => taken + candidate.length <= max) ?? ''
  // Without a marker nothing but the line ending keeps the two lines apart.
  const joined = fitting === '' && next + tail.length <= max
  return { head: joined ? text.slice(0, next) : head, marker: fitting, tail }
}

function cutToNewest(text: string, options: CutOptions): Cut {
  const { max, gap, marker, compactMarker } = options
  const newest = (room: number) => text.slice(tailPlace(text, room, gap ?? 0, options))
  // Measured with the largest number it could name, so that the real one cannot be longer.
  for (const widest of [marker({ head: 0, tail: max }), compactMarker]) {
    const room = max - widest.length - blankLine.length
    // A marker that outweighs the text it stands for is no help.
    if (room < widest.length) continue
    const tail = newest(room)
    return { head: '', marker: widest === compactMarker ? compactMarker : marker({ head: 0, tail: tail.length }), tail }
  }
  return { head: '', marker: '', tail: newest(max) }
}
