import { countCache, ownCopy } from './count-cache.js'
import { mergedCount } from './merge.js'
import { partsOf } from './parts.js'
import type { EndOfPiece } from './split.js'
import { MAX_BYTES_PER_UNIT, writeUtf8 } from './utf8.js'
import { type HashedBytes, hashBytes, NO_RANK, type Vocabulary } from './vocabulary.js'

/** UTF-16 units of a piece for which room is kept; for a longer one it is made anew. */
const USUAL = 4_096
/** UTF-16 units of text for which counts are remembered: of a file of 10 MB, and of the lines of a few prompts. */
const STRETCHES = 16 * 1_024 * 1_024
const LINES = 1_024 * 1_024
/** Whole texts that are remembered: so many, and so many UTF-16 units together. */
const TEXTS = 16
const UNITS = 1_024 * 1_024

/** Counts the tokens of texts, and remembers the counts of their parts. */
export function tokenCount(vocabulary: Vocabulary, endOfPiece: EndOfPiece): (text: string) => number {
  const stretches = countCache(STRETCHES)
  const lines = countCache(LINES)
  const recent = recentCounts()
  const room = roomFor(USUAL)
  const merged = mergedCount(vocabulary)

  function countPiece(text: string, start: number, end: number): number {
    const piece = end - start > USUAL ? roomFor(end - start) : room
    const length = writeUtf8(text, start, end, piece.bytes, 0)
    hashBytes(piece, length)
    return vocabulary.rank(piece, 0, length) === NO_RANK ? merged(piece, length) : 1
  }
  function countPieces(text: string): number {
    let count = 0
    for (let start = 0; start < text.length; ) {
      const end = endOfPiece(text, start, text.length)
      count += countPiece(text, start, end)
      start = end
    }
    return count
  }
  function countParts(text: string): number {
    const { endOfPart } = partsOf(text)
    let count = 0
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = endOfPart(start)
      count += lines.count(text.slice(start, end), countPieces)
    }
    return count
  }
  function countStretches(text: string): number {
    const { endOfStretch } = partsOf(text)
    let count = 0
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = endOfStretch(start)
      count += stretches.count(text.slice(start, end), countParts)
    }
    return count
  }
  return (text) => {
    const known = recent.get(text)
    if (known !== undefined) return known
    const count = countStretches(text)
    recent.set(text, count)
    return count
  }
}

function roomFor(units: number): HashedBytes {
  const length = units * MAX_BYTES_PER_UNIT
  return { bytes: new Uint8Array(length), hashes: new Int32Array(length + 1) }
}

/** The last few texts, compared and not hashed: what differs mostly differs in length. */
function recentCounts() {
  let texts: readonly { readonly text: string; readonly count: number }[] = []
  return {
    get: (text: string) => texts.find((entry) => entry.text === text)?.count,
    set(text: string, count: number) {
      if (text.length > UNITS / 2) return
      let room = UNITS
      texts = [{ text: ownCopy(text), count }, ...texts].filter((entry, index) => {
        room -= entry.text.length
        return index < TEXTS && room >= 0
      })
    },
  }
}
