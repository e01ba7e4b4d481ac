const ones = 0x01010101

/**
 * The UTF-16 units that valid UTF-8 decodes to, without decoding it. Counts of consecutive pieces add up, wherever the
 * cuts are.
 *
 * A byte is one unit unless it continues a character, and a byte that opens a character of four is two:
 * four bytes are looked at together, and each of them leaves its 0, 1 or 2 in its own byte of `sums`.
 */
export function countUnits(bytes: Uint8Array): number {
  if (bytes.length < 8) return countSlowly(bytes, 0, bytes.length)
  const lead = (4 - (bytes.byteOffset % 4)) % 4
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >>> 2)
  let units = countSlowly(bytes, 0, lead) + countSlowly(bytes, lead + words.length * 4, bytes.length)
  // 63 words a block: a byte of `sums` holds at most 126, and the whole stays a small integer.
  for (let block = 0; block < words.length; block += 63) {
    const end = Math.min(words.length, block + 63)
    let sums = 0
    for (let at = block; at < end; at++) {
      const word = words[at] as number
      const high = word >>> 7
      const second = word >>> 6
      sums += ((~high | second) & ones) + (high & second & (word >>> 5) & (word >>> 4) & ones)
    }
    units += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24)
  }
  return units
}

/**
 * The UTF-16 units that any bytes decode to as UTF-8, without decoding them. What is no text is a U+FFFD for each of its
 * longest beginnings of a character, as the Encoding Standard says.
 */
export function countLenientUnits(bytes: Uint8Array): number {
  let units = 0
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number
    const width = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const end = at + width
    at += 1
    // These begin no other way of writing a shorter character, no half of a pair, and nothing beyond U+10FFFF.
    let lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    let highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte < lowest || byte > highest) break
      lowest = 0x80
      highest = 0xbf
    }
    units += width === 4 && at === end ? 2 : 1
  }
  return units
}

function countSlowly(bytes: Uint8Array, from: number, to: number): number {
  let units = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    units += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1
  }
  return units
}
