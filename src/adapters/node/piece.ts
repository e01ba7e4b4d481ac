import { isAscii, isUtf8 } from 'node:buffer'
import { countLenientUnits, countUnits } from '../../workspace/count-units.js'
import { incompleteTail } from '../../workspace/decode.js'

/** The part of a piece of UTF-8 that the next one does not go on with: all of it where the file ends. */
export function charactersIn(piece: Uint8Array, ended: boolean): Uint8Array {
  return ended ? piece : piece.subarray(0, piece.length - incompleteTail(piece))
}

/**
 * The UTF-16 units that a piece of UTF-8 decodes to, the U+FFFD for bad bytes included. Those of the pieces that
 * {@link charactersIn} gives add up: each of them ends where no character, and no bad sequence, goes on.
 */
export function measure(piece: Uint8Array): { readonly units: number; readonly valid: boolean } {
  if (isAscii(piece)) return { units: piece.length, valid: true }
  if (isUtf8(piece)) return { units: countUnits(piece), valid: true }
  return { units: countLenientUnits(piece), valid: false }
}
