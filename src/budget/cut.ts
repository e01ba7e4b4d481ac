import type { CutStrategy } from '../ports/layer.js'
import { boundaryAfter, boundaryBefore } from './graphemes.js'

/** What is left of a text that did not fit. `head` and `tail` are verbatim ends of it. */
export interface Cut {
  readonly head: string
  /** Two lines, one, or `''` where no marker fits. */
  readonly marker: string
  readonly tail: string
}

export interface CutOptions {
  readonly max: number
  readonly head: number
  readonly tail: number
  readonly strategy: CutStrategy
  /** Where the two ends of a large file meet; its middle is not there. */
  readonly gap?: number | undefined
  /** The marker for what was kept, in UTF-16 units. It may not grow when the numbers shrink. */
  readonly marker: (kept: { readonly head: number; readonly tail: number }) => string
  readonly compactMarker: string
}

const blankLine = '\n\n'

/**
 *   ├────────── 70 % ──────────┤ ⏎⏎ marker ⏎⏎ ├── 20 % ──┤      head-tail
 *                                marker ⏎⏎ ├── the rest ──┤      newest
 *
 * A text of at most `max` UTF-16 units is not cut: `undefined`. Otherwise head, marker and tail together are never
 * longer than `max`: the full marker if it fits, else a compact one, else none. No grapheme is ever split.
 */
export function cutText(text: string, options: CutOptions): Cut | undefined {
  if (options.gap === undefined && text.length <= options.max) return undefined
  return options.strategy === 'newest' ? cutToNewest(text, options) : cutToEnds(text, options)
}

/** The text that a cut shows. */
export function joinCut({ head, marker, tail }: Cut): string {
  if (marker === '') return head + tail
  return (head === '' ? '' : head + blankLine) + marker + (tail === '' ? '' : blankLine + tail)
}

function cutToEnds(text: string, { max, gap, marker, compactMarker, ...ratios }: CutOptions): Cut {
  const head = text.slice(0, boundaryBefore(text, Math.min(share(max, ratios.head), gap ?? text.length)))
  const rest = share(max, ratios.tail)
  const tail = text.slice(boundaryAfter(text, Math.max(text.length - rest, gap ?? 0, head.length)))
  const candidates = [marker({ head: head.length, tail: tail.length }), compactMarker]
  const fitting = candidates.find((candidate) => joinCut({ head, marker: candidate, tail }).length <= max)
  return { head, marker: fitting ?? '', tail }
}

function cutToNewest(text: string, { max, gap, marker, compactMarker }: CutOptions): Cut {
  const newest = (room: number) => text.slice(boundaryAfter(text, Math.max(text.length - room, gap ?? 0)))
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

/** The floor that a person would compute: 0.7 × 130 is 91, not 90.99999999999999. */
function share(max: number, ratio: number): number {
  return Math.floor(max * ratio + 1e-9)
}
