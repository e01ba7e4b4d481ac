import { readFully, type Work } from './operations.js'
import { charactersIn, measure } from './piece.js'

/** Large enough that reading takes longer than asking, small enough to be counted in a millisecond or two. */
const PIECE_BYTES = 2 ** 20

/** How far a file in UTF-8 is counted. */
export interface Progress {
  readonly bytes: number
  /** UTF-16 units that these decode to. */
  readonly units: number
  readonly valid: boolean
  /** They are all of it. */
  readonly ended: boolean
}

export const uncounted: Progress = { bytes: 0, units: 0, valid: true, ended: false }

/**
 * Counts on from where an earlier count stopped, piece by piece, in a buffer of 1 MiB, to the end of the file or until
 * `goesOn` says otherwise: one piece at least, so that many short counts come to an end as well.
 */
export function* countText(fd: number, from: Progress, goesOn: () => boolean): Work<Progress> {
  let { bytes, units, valid, ended } = from
  if (ended) return from
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  do {
    const count = yield* readFully(fd, buffer, bytes)
    ended = count < PIECE_BYTES
    const piece = charactersIn(buffer.subarray(0, count), ended)
    const measured = measure(piece)
    bytes += piece.length
    units += measured.units
    valid &&= measured.valid
  } while (!ended && goesOn())
  return { bytes, units, valid, ended }
}
