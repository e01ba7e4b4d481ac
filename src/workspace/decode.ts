import { countUnits } from './count-units.js'

/** UTF-16 units. A longer file is read by its two ends, {@link END_UNITS} each. */
export const WHOLE_UNITS = 2 ** 20

/** UTF-16 units of one end of a file that is too long to be read whole. */
export const END_UNITS = 2 ** 18

/** Bytes that always hold one end: UTF-8 takes at most 3 a unit, and a character may be cut in two at the border. */
export const END_BYTES = 3 * END_UNITS + 4

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

export interface Decoded {
  /** Raw text, a byte order mark included. */
  readonly text: string
  /** Bytes that are no valid text became U+FFFD, so the text must never be written back. */
  readonly lossy: boolean
}

/** The two ends of a long text, one behind the other. */
export interface Ends {
  readonly text: string
  /** UTF-16 units: where in `text` the ends meet. */
  readonly at: number
}

/** What the byte order mark at the start of a file says; UTF-8 where there is none. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/**
 * Decodes a file. UTF-8, unless a byte order mark says UTF-16; the mark stays in the text. Never throws.
 *
 * @example
 * decodeText(Uint8Array.of(0xc4, 0xe3)) // { text: '\ufffd\ufffd', lossy: true }: GBK
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding = encodingOf(bytes)): Decoded {
  const label = encoding === 'utf-8' ? 'utf-8' : 'utf-16le'
  const input = encoding === 'utf-16be' ? swapped(bytes) : bytes
  try {
    return { text: strict[label].decode(input), lossy: false }
  } catch {
    return { text: lenient[label].decode(input), lossy: true }
  }
}

/**
 * Decodes the two ends of a long file, each to at most {@link END_UNITS} units and never through a character.
 *
 * @param head The first {@link END_BYTES} bytes.
 * @param tail The last {@link END_BYTES} bytes.
 * @param tailAt Where in the file `tail` starts, in bytes.
 * @param room Where the bytes of both are put together, so that their text is one string from the start. May be what
 * holds them, which is then used up.
 * @returns with `unitsPerByte`, from which the length of the whole can be estimated.
 */
export function decodeEnds(
  head: Uint8Array,
  tail: Uint8Array,
  tailAt: number,
  room: Uint8Array = new Uint8Array(head.length + tail.length),
): Ends & { readonly lossy: boolean; readonly unitsPerByte: number } {
  const encoding = encodingOf(head)
  const first = head.subarray(0, encoding === 'utf-8' ? headEnd(head) : wideHeadEnd(head, encoding))
  const last = tail.subarray(encoding === 'utf-8' ? tailStart(tail) : wideTailStart(tail, tailAt, encoding))
  const both = room.subarray(0, first.length + last.length)
  both.set(first)
  both.set(last, first.length)
  const opening = both.subarray(0, first.length)
  const { text, lossy } = decodeText(both, encoding)
  if (!lossy) {
    const at = encoding === 'utf-8' ? countUnits(opening) : opening.length / 2
    return { text, at, lossy, unitsPerByte: text.length / Math.max(1, both.length) }
  }
  const before = decodeText(opening, encoding)
  const after = decodeText(both.subarray(first.length), encoding)
  // Where the bytes are no valid text the places found above are too generous: one byte may become one unit.
  const start = headOf(before.text)
  const end = tailOf(after.text)
  return {
    text: start + end,
    at: start.length,
    lossy: before.lossy || after.lossy,
    unitsPerByte: (before.text.length + after.text.length) / Math.max(1, both.length),
  }
}

/** The two ends of a text that is longer than {@link WHOLE_UNITS}; no surrogate pair is cut. */
export function endsOf(text: string): Ends {
  const start = headOf(text)
  return { text: start + tailOf(text), at: start.length }
}

/** Bytes at the end that begin a UTF-8 character and do not complete it: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (!isContinuation(byte)) return widthOf(byte) > back ? back : 0
  }
  return 0
}

const strict = decoders(true)
const lenient = decoders(false)

function decoders(fatal: boolean): Readonly<Record<'utf-8' | 'utf-16le', InstanceType<typeof TextDecoder>>> {
  const options = { fatal, ignoreBOM: true }
  return { 'utf-8': new TextDecoder('utf-8', options), 'utf-16le': new TextDecoder('utf-16le', options) }
}

/** Not every runtime has a decoder for big-endian UTF-16. An odd last byte stays where it is. */
function swapped(bytes: Uint8Array): Uint8Array {
  // Not `slice`, which some subclasses make a view.
  const result = new Uint8Array(bytes)
  for (let at = 0; at + 1 < result.length; at += 2) {
    result[at] = bytes[at + 1] ?? 0
    result[at + 1] = bytes[at] ?? 0
  }
  return result
}

function headEnd(bytes: Uint8Array): number {
  let at = 0
  for (let units = 0; at < bytes.length; ) {
    const width = widthOf(bytes[at] ?? 0)
    units += width === 4 ? 2 : 1
    if (units > END_UNITS || at + width > bytes.length) break
    at += width
  }
  return at
}

function tailStart(bytes: Uint8Array): number {
  let start = bytes.length
  for (let at = bytes.length - 1, units = 0, run = 0; at >= 0; at--) {
    const byte = bytes[at] ?? 0
    // No character has more than three continuation bytes: more of them are not text, and count one by one.
    if (isContinuation(byte) && ++run <= 3) continue
    run = 0
    units += byte >= 0xf0 ? 2 : 1
    if (units > END_UNITS) break
    start = at
  }
  return start
}

function wideHeadEnd(head: Uint8Array, encoding: Encoding): number {
  const end = 2 * END_UNITS
  return isLow(unitAt(head, end, encoding)) ? end - 2 : end
}

function wideTailStart(tail: Uint8Array, tailAt: number, encoding: Encoding): number {
  const odd = (tailAt + tail.length) % 2
  const start = Math.max(tailAt % 2, tail.length - odd - 2 * END_UNITS)
  return isLow(unitAt(tail, start, encoding)) ? start + 2 : start
}

function unitAt(bytes: Uint8Array, at: number, encoding: Encoding): number {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2)
  return encoding === 'utf-16be' ? first * 256 + second : second * 256 + first
}

function headOf(text: string): string {
  if (text.length <= END_UNITS) return text
  return text.slice(0, splitsPair(text, END_UNITS) ? END_UNITS - 1 : END_UNITS)
}

function tailOf(text: string): string {
  const at = text.length - END_UNITS
  if (at <= 0) return text
  return text.slice(splitsPair(text, at) ? at + 1 : at)
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff && isLow(text.charCodeAt(at))
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function widthOf(lead: number): number {
  if (lead < 0xc0) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
