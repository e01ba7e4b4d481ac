/** What stands for half of a surrogate pair, as in every encoder of UTF-8. */
const REPLACEMENT = 0xfffd

/** Three bytes are the most that one UTF-16 unit becomes. */
export const MAX_BYTES_PER_UNIT = 3

/** Writes `text` from `start` to `end` as UTF-8 and returns where it ended in `bytes`. */
export function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array, at: number): number {
  let to = at
  for (let index = start; index < end; index += 1) {
    let code = text.charCodeAt(index)
    if (code < 0x80) {
      bytes[to++] = code
      continue
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      code = codePointAt(text, index, end)
      if (code > 0xffff) index += 1
      else code = REPLACEMENT
    }
    if (code < 0x800) bytes[to++] = 0xc0 | (code >> 6)
    else {
      if (code < 0x10000) bytes[to++] = 0xe0 | (code >> 12)
      else {
        bytes[to++] = 0xf0 | (code >> 18)
        bytes[to++] = 0x80 | ((code >> 12) & 0x3f)
      }
      bytes[to++] = 0x80 | ((code >> 6) & 0x3f)
    }
    bytes[to++] = 0x80 | (code & 0x3f)
  }
  return to
}

/** Half a pair, or one that `end` cuts through, is itself. */
export function codePointAt(text: string, index: number, end: number): number {
  const high = text.charCodeAt(index)
  if (high < 0xd800 || high > 0xdbff || index + 1 >= end) return high
  const low = text.charCodeAt(index + 1)
  return low >= 0xdc00 && low <= 0xdfff ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : high
}
