/**
 * 64 bits of a text as 16 hexadecimal digits. Fast and not cryptographic: it tells versions of a prompt apart, it
 * proves nothing. Two 32-bit lanes run over the UTF-16 units, with different multipliers, and are mixed at the end.
 */
export function fingerprint(text: string): string {
  let a = 0x811c9dc5 ^ text.length
  let b = 0x9e3779b9 ^ text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b)
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
