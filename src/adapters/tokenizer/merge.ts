import { type RankQueue, rankQueue } from './rank-queue.js'
import { type HashedBytes, isMarked, NO_RANK, type Vocabulary } from './vocabulary.js'

/** Up to here, looking through all pairs for the lowest is faster than keeping them in order. */
const SMALL = 128

/** How many tokens the first `length` bytes are once all pairs are merged: the lowest rank first, of equals the first. */
export type MergedCount = (text: HashedBytes, length: number) => number

export function mergedCount(vocabulary: Vocabulary): MergedCount {
  const starts = new Int32Array(SMALL + 2)
  const ranks = new Int32Array(SMALL + 2)
  let queue: RankQueue | undefined
  return (text, length) => {
    if (length <= SMALL) return mergeSmall({ text, length, vocabulary }, starts, ranks)
    queue ??= rankQueue(vocabulary.size)
    return mergeLarge({ text, length, vocabulary }, queue)
  }
}

interface Piece {
  readonly text: HashedBytes
  readonly length: number
  readonly vocabulary: Vocabulary
}

function mergeSmall(piece: Piece, starts: Int32Array, ranks: Int32Array): number {
  let count = piece.length
  for (let index = 0; index <= count; index += 1) starts[index] = index
  for (let index = 0; index < count - 1; index += 1) ranks[index] = firstRank(piece, index)
  const pairRank = (at: number) => rankOf(piece, starts[at] ?? 0, starts[at + 2] ?? 0)
  while (count > 1) {
    let lowest = NO_RANK
    let at = 0
    for (let index = 0; index < count - 1; index += 1) {
      const rank = ranks[index] ?? NO_RANK
      if (rank < lowest) {
        lowest = rank
        at = index
      }
    }
    if (lowest === NO_RANK) break
    count -= 1
    for (let index = at + 1; index <= count; index += 1) {
      starts[index] = starts[index + 1] ?? 0
      ranks[index] = ranks[index + 1] ?? 0
    }
    if (at < count - 1) ranks[at] = pairRank(at)
    if (at > 0) ranks[at - 1] = pairRank(at - 1)
  }
  return count
}

/** A list of parts linked both ways, and their pairs in a queue, where looking through all would take the square of the time. */
function mergeLarge(piece: Piece, queue: RankQueue): number {
  const { length } = piece
  const next = new Int32Array(length + 1)
  const previous = new Int32Array(length + 1)
  const pairs = new Int32Array(length + 1).fill(NO_RANK)
  function renew(start: number, rank: number): void {
    pairs[start] = rank
    if (rank !== NO_RANK) queue.add(rank, start)
  }
  for (let index = 0; index <= length; index += 1) {
    next[index] = index + 1
    previous[index] = index - 1
    if (index < length - 1) renew(index, firstRank(piece, index))
  }
  let count = length
  for (let pair = queue.take(); pair !== undefined; pair = queue.take()) {
    const { rank, start } = pair
    // A part only grows, so a pair that waits under another rank is no more.
    if (pairs[start] !== rank) continue
    const gone = next[start] ?? length
    const after = next[gone] ?? length
    next[start] = after
    previous[after] = start
    pairs[gone] = NO_RANK
    count -= 1
    if (after < length) renew(start, rankOf(piece, start, next[after] ?? length))
    else pairs[start] = NO_RANK
    const before = previous[start] ?? -1
    if (before >= 0) renew(before, rankOf(piece, before, after))
  }
  return count
}

function firstRank({ text: { bytes }, vocabulary }: Piece, index: number): number {
  return vocabulary.pairs[((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0)] ?? NO_RANK
}

/**
 * As gpt-tokenizer looks a part up: by the text it decodes to, which for whole characters behind a byte order mark is
 * one without the mark.
 */
function rankOf({ text, length, vocabulary }: Piece, start: number, end: number): number {
  if (text.bytes[start] !== 0xef || !isMarked(text.bytes, start, end)) return vocabulary.rank(text, start, end)
  const whole = end === length || ((text.bytes[end] ?? 0) & 0xc0) !== 0x80
  return vocabulary.rank(text, whole ? start + 3 : start, end)
}
