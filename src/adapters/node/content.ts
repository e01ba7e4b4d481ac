import { createHash, hash } from 'node:crypto'
import { decodeEnds, decodeText, END_BYTES, encodingOf, WHOLE_UNITS } from '../../workspace/decode.js'
import { readFully, unblock, type Work } from './operations.js'
import { charactersIn, measure } from './piece.js'

/** Bytes. UTF-8 takes at most 3 a unit, so that more than these are always too many units to be read whole. */
const WHOLE_BYTES = 3 * WHOLE_UNITS
/** Bytes. Up to here a file is read to its end, for an exact length and version. */
const SCAN_BYTES = 64 * 2 ** 20
/** Bytes. More are never read with blocking calls. */
export const BLOCKING_BYTES = 2 ** 20
const CHUNK_BYTES = 256 * 1_024

/** What an open file holds, undecoded: whether it is worth decoding shows in `digest`. */
export type Content =
  | { readonly kind: 'whole'; readonly digest: string; readonly bytes: Uint8Array }
  | LongContent
  | { readonly kind: 'binary' }
  | { readonly kind: 'failed'; readonly detail: string }

export type TextContent = Extract<Content, { readonly kind: 'whole' | 'ends' }>

/** Only the ends are in memory. `exact`: every byte went into `digest`. */
interface LongContent {
  readonly kind: 'ends'
  readonly digest: string
  readonly exact: boolean
  /** Holds both ends. */
  readonly room: Uint8Array
  /** Bytes. */
  readonly size: number
  /** UTF-16 units of all of it, where they could be counted. */
  readonly units: number | undefined
  readonly valid: boolean
}

/** Room for the two ends of a file. */
export function roomForEnds(): Uint8Array {
  return Buffer.allocUnsafe(2 * END_BYTES)
}

/**
 * Reads a file of any size in bounded memory. `size` is what the system reports, and only a hint. The ends of a long one
 * are put into `room`, and are gone when that is used for the next.
 *
 *   bytes   ≤ 3 MiB          ≤ 64 MiB                    more
 *           whole            two ends, all of it hashed  two ends
 *                            and counted in passing
 */
export function* readContent(fd: number, size: number, room = roomForEnds): Work<Content> {
  if (size > BLOCKING_BYTES) yield* unblock()
  if (size > SCAN_BYTES) return yield* readEnds(fd, size, room())
  if (size <= WHOLE_BYTES) {
    const bytes = yield* readWhole(fd, size)
    if (bytes.length <= WHOLE_BYTES) {
      return isBinary(bytes, bytes) ? { kind: 'binary' } : { kind: 'whole', digest: hash('sha256', bytes), bytes }
    }
  }
  return yield* scan(fd, room())
}

/** What a snapshot says of the text. Uses the content up: to be called once. */
export function textOf(content: TextContent) {
  if (content.kind === 'whole') {
    const { bytes } = content
    const { text, lossy } = decodeText(bytes)
    if (text.length <= WHOLE_UNITS) return { text, length: text.length, ...(lossy && { lossy }) }
    const tailAt = bytes.length - END_BYTES
    const ends = decodeEnds(bytes.subarray(0, END_BYTES), bytes.subarray(tailAt), tailAt)
    return { text: ends.text, gap: Object.freeze({ at: ends.at }), length: text.length, ...(lossy && { lossy }) }
  }
  const { room, size, units, valid } = content
  const ends = decodeEnds(headIn(room), tailIn(room), size - END_BYTES, room)
  const lossy = ends.lossy || !valid
  return {
    text: ends.text,
    gap: Object.freeze({ at: ends.at }),
    length: units ?? Math.round(size * ends.unitsPerByte),
    ...(units === undefined && { approximate: true as const }),
    ...(lossy && { lossy }),
  }
}

/** All of a file that is not longer than `WHOLE_BYTES`; one byte more of a longer one. */
function* readWhole(fd: number, size: number): Work<Uint8Array> {
  // One byte more than reported: that the file ends there is to be seen. Files of /proc report no size at all.
  let bytes: Uint8Array = Buffer.allocUnsafe(size > 0 ? size + 1 : CHUNK_BYTES)
  for (let filled = 0; ; ) {
    filled += yield* readFully(fd, bytes.subarray(filled), filled)
    if (filled < bytes.length || filled > WHOLE_BYTES) return bytes.subarray(0, filled)
    if (2 * filled > BLOCKING_BYTES) yield* unblock()
    const larger = Buffer.allocUnsafe(Math.min(WHOLE_BYTES + 1, 2 * filled + CHUNK_BYTES))
    larger.set(bytes)
    bytes = larger
  }
}

function* scan(fd: number, room: Uint8Array): Work<Content> {
  yield* unblock()
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  const head = headIn(room)
  const sum = createHash('sha256')
  let size = 0
  let units = 0
  let valid = true
  for (let ended = false; !ended; ) {
    const count = yield* readFully(fd, buffer, size)
    ended = count < CHUNK_BYTES
    const piece = charactersIn(buffer.subarray(0, count), ended)
    if (size < END_BYTES) head.set(piece.subarray(0, END_BYTES - size), size)
    if (isBinary(head, piece)) return { kind: 'binary' }
    sum.update(piece)
    const measured = measure(piece)
    units += measured.units
    valid &&= measured.valid
    size += piece.length
    if (size > SCAN_BYTES) return { kind: 'failed', detail: 'it is much longer than the system reports' }
  }
  if (size <= WHOLE_BYTES) return { kind: 'failed', detail: 'it kept changing while it was read' }
  const found = yield* readFully(fd, tailIn(room), size - END_BYTES)
  if (found < END_BYTES) return { kind: 'failed', detail: 'it kept changing while it was read' }
  const wide = wideUnits(head, size)
  const digest = sum.digest('hex')
  return { kind: 'ends', digest, exact: true, room, size, units: wide ?? units, valid: valid || wide !== undefined }
}

function* readEnds(fd: number, size: number, room: Uint8Array): Work<Content> {
  const head = headIn(room)
  const tail = tailIn(room)
  const short = { kind: 'failed', detail: 'it is shorter than the system reports' } as const
  if ((yield* readFully(fd, head, 0)) < END_BYTES) return short
  if (isBinary(head, head)) return { kind: 'binary' }
  if ((yield* readFully(fd, tail, size - END_BYTES)) < END_BYTES) return short
  if (isBinary(head, tail)) return { kind: 'binary' }
  const digest = createHash('sha256').update(head).update(tail).digest('hex')
  return { kind: 'ends', digest, exact: false, room, size, units: wideUnits(head, size), valid: true }
}

function headIn(room: Uint8Array): Uint8Array {
  return room.subarray(0, END_BYTES)
}

function tailIn(room: Uint8Array): Uint8Array {
  return room.subarray(END_BYTES, 2 * END_BYTES)
}

/** UTF-16 units of a file in UTF-16, whose size says it. */
function wideUnits(head: Uint8Array, size: number): number | undefined {
  return encodingOf(head) === 'utf-8' ? undefined : Math.ceil(size / 2)
}

function isBinary(head: Uint8Array, bytes: Uint8Array): boolean {
  return bytes.includes(0) && encodingOf(head) === 'utf-8'
}
