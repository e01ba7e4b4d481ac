import { MAX_BYTES_PER_UNIT, writeUtf8 } from './utf8.js'

/** Above every rank. */
export const NO_RANK = 0x7fffffff

const FACTOR = 0x01000193
const SPREAD = 0x9e3779b1 | 0

/** The tokens of an encoding, found by their bytes. */
export interface Vocabulary {
  /** The ranks of tokens of two bytes, by both: the first is the higher one. */
  readonly pairs: Int32Array
  /** Ranks are below it. */
  readonly size: number
  /** How often each pair of bytes was merged before others: lower goes first. `NO_RANK`: not a token. */
  rank(text: HashedBytes, start: number, end: number): number
}

/** Bytes with the hashes of all their beginnings, from which that of any part follows in one step. */
export interface HashedBytes {
  readonly bytes: Uint8Array
  readonly hashes: Int32Array
}

/** Hashes `bytes` from 0 to `length`. */
export function hashBytes({ bytes, hashes }: HashedBytes, length: number): void {
  let hash = 0
  hashes[0] = 0
  for (let index = 0; index < length; index += 1) {
    hash = (Math.imul(hash, FACTOR) + (bytes[index] ?? 0) + 1) | 0
    hashes[index + 1] = hash
  }
}

/** Takes the table in the order of the ranks: a text, or the bytes of a token that is none. */
export function vocabularyOf(tokens: readonly (string | readonly number[])[]): Vocabulary {
  const { bytes, offsets, longest } = packed(tokens)
  const powers = new Int32Array(longest + 1)
  for (let index = 0, power = 1; index <= longest; index += 1, power = Math.imul(power, FACTOR)) powers[index] = power

  /** A token has two places here: its rank and its hash. */
  const table = new Int32Array(2 ** Math.ceil(Math.log2(tokens.length * 2)) * 2)
  const shift = Math.clz32(table.length) + 2
  const next = (slot: number) => (slot + 2) & (table.length - 1)
  table.fill(-1)
  const pairs = new Int32Array(0x10000).fill(NO_RANK)
  for (let rank = 0; rank < tokens.length; rank += 1) {
    const [start, end] = [offsets[rank] ?? 0, offsets[rank + 1] ?? 0]
    if (isMarked(bytes, start, end)) continue
    if (end - start === 2) pairs[((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0)] = rank
    let hash = 0
    for (let index = start; index < end; index += 1) hash = (Math.imul(hash, FACTOR) + (bytes[index] ?? 0) + 1) | 0
    let slot = (Math.imul(hash, SPREAD) >>> shift) * 2
    while (table[slot] !== -1) slot = next(slot)
    table[slot] = rank
    table[slot + 1] = hash
  }

  function equals(text: Uint8Array, start: number, length: number, rank: number): boolean {
    const from = offsets[rank] ?? 0
    if ((offsets[rank + 1] ?? 0) - from !== length) return false
    for (let index = 0; index < length; index += 1) if (text[start + index] !== bytes[from + index]) return false
    return true
  }

  return {
    size: tokens.length,
    pairs,
    rank(text, start, end) {
      const length = end - start
      if (length > longest) return NO_RANK
      const hash = ((text.hashes[end] ?? 0) - Math.imul(text.hashes[start] ?? 0, powers[length] ?? 0)) | 0
      for (let slot = (Math.imul(hash, SPREAD) >>> shift) * 2; ; slot = next(slot)) {
        const rank = table[slot] ?? -1
        if (rank === -1) return NO_RANK
        if (table[slot + 1] === hash && equals(text.bytes, start, length, rank)) return rank
      }
    },
  }
}

function packed(tokens: readonly (string | readonly number[])[]) {
  const units = tokens.reduce((sum, token) => sum + token.length, 0)
  const bytes = new Uint8Array(units * MAX_BYTES_PER_UNIT)
  const offsets = new Int32Array(tokens.length + 1)
  let end = 0
  let longest = 0
  for (const [rank, token] of tokens.entries()) {
    const start = end
    if (typeof token === 'string') end = writeUtf8(token, 0, token.length, bytes, end)
    else for (const byte of token) bytes[end++] = byte
    offsets[rank + 1] = end
    longest = Math.max(longest, end - start)
  }
  return { bytes: bytes.slice(0, end), offsets, longest }
}

/** Whether a byte order mark opens these bytes. gpt-tokenizer does not find the few tokens of this kind. */
export function isMarked(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
}
