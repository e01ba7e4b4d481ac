/**
 * 64 bits of a text as 16 hexadecimal digits. Fast and not cryptographic: it tells versions of a prompt apart, it
 * proves nothing. Two 32-bit lanes run over the UTF-16 units, two at a time, with different multipliers, and are mixed at
 * the end. They are turned at each step: a multiplication alone carries nothing down from the higher bits.
 */
export function fingerprint(text: string): string {
  let a = 0x811c9dc5 ^ text.length
  let b = 0x9e3779b9 ^ text.length
  for (let index = 0; index < text.length; index += 2) {
    // Behind the last one there is none, which counts as 0: the length tells that from a unit that is 0.
    const units = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16)
    a = Math.imul(a ^ units, 0x01000193)
    a = (a << 15) | (a >>> 17)
    b = Math.imul(b ^ units, 0x85ebca6b)
    b = (b << 13) | (b >>> 19)
  }
  return hex(mix(a ^ (b >>> 15))) + hex(mix(b ^ Math.imul(a, 0xc2b2ae35)))
}

function mix(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return (twice ^ (twice >>> 16)) >>> 0
}

function hex(lane: number): string {
  return lane.toString(16).padStart(8, '0')
}
