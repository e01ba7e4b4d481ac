/** What a hidden character is for, or was abused for. */
export type HiddenKind = 'control' | 'bidi' | 'tag' | 'variation-selector' | 'joiner' | 'invisible' | 'byte-order-mark'

type HiddenRange = readonly [first: number, last: number, kind: HiddenKind]

/**
 * Every code point that shows nothing of its own, in code-point order: controls but tab and newline, all of
 * Default_Ignorable_Code_Point, the interlinear marks, and the non-characters. White space is not among them.
 */
const hiddenRanges: readonly HiddenRange[] = [
  [0x0000, 0x0008, 'control'],
  [0x000b, 0x001f, 'control'],
  [0x007f, 0x009f, 'control'],
  [0x00ad, 0x00ad, 'invisible'], // soft hyphen
  [0x034f, 0x034f, 'invisible'], // combining grapheme joiner
  [0x061c, 0x061c, 'bidi'], // Arabic letter mark
  [0x115f, 0x1160, 'invisible'], // Hangul fillers
  [0x17b4, 0x17b5, 'invisible'], // Khmer inherent vowels
  [0x180b, 0x180d, 'variation-selector'],
  [0x180e, 0x180e, 'invisible'], // Mongolian vowel separator
  [0x180f, 0x180f, 'variation-selector'],
  [0x200b, 0x200b, 'invisible'], // zero width space
  [0x200c, 0x200d, 'joiner'],
  [0x200e, 0x200f, 'bidi'],
  [0x202a, 0x202e, 'bidi'],
  [0x2060, 0x2065, 'invisible'], // word joiner, invisible operators
  [0x2066, 0x2069, 'bidi'],
  [0x206a, 0x206f, 'invisible'], // deprecated format characters
  [0x3164, 0x3164, 'invisible'], // Hangul filler
  [0xfdd0, 0xfdef, 'invisible'], // non-characters
  [0xfe00, 0xfe0f, 'variation-selector'],
  [0xfeff, 0xfeff, 'byte-order-mark'],
  [0xffa0, 0xffa0, 'invisible'], // half-width Hangul filler
  [0xfff0, 0xfffb, 'invisible'], // interlinear annotation
  [0xfffe, 0xffff, 'invisible'],
  [0x1bca0, 0x1bca3, 'invisible'], // shorthand format controls
  [0x1d173, 0x1d17a, 'invisible'], // musical format controls
  ...nonCharactersOfPlanes(0x1, 0xd),
  [0xe0000, 0xe007f, 'tag'],
  [0xe0080, 0xe00ff, 'invisible'],
  [0xe0100, 0xe01ef, 'variation-selector'],
  [0xe01f0, 0xe0fff, 'invisible'],
  ...nonCharactersOfPlanes(0xe, 0x10),
]

const firstCodePoints = Uint32Array.from(hiddenRanges, ([first]) => first)
const lastCodePoints = Uint32Array.from(hiddenRanges, ([, last]) => last)

/** Whether cleaning changes nothing: no hidden characters, no foreign newlines, no lone surrogates. */
export function isClean(text: string): boolean {
  unitKinds ??= unitKindTable()
  for (let at = 0; at < text.length; at += 1) {
    const kind = unitKinds[text.charCodeAt(at)]
    if (kind === PLAIN) continue
    if (kind !== HIGH_SURROGATE) return false
    const codePoint = text.codePointAt(at) as number
    if (codePoint <= 0xffff || isHidden(codePoint)) return false
    at += 1
  }
  return true
}

const PLAIN = 0
const UNCLEAN = 1
const HIGH_SURROGATE = 2

/** By UTF-16 unit: a look-up is many times faster than a pattern of so many ranges. */
let unitKinds: Uint8Array | undefined

function unitKindTable(): Uint8Array {
  const kinds = new Uint8Array(0x10000)
  for (const [first, last] of hiddenRanges) kinds.fill(UNCLEAN, first, last + 1)
  for (const newline of [0x0d, 0x2028, 0x2029]) kinds[newline] = UNCLEAN
  return kinds.fill(HIGH_SURROGATE, 0xd800, 0xdc00).fill(UNCLEAN, 0xdc00, 0xe000)
}

export function isHidden(codePoint: number): boolean {
  return rangeOf(codePoint) !== -1
}

/** `undefined` for a code point that shows. */
export function hiddenKind(codePoint: number): HiddenKind | undefined {
  return hiddenRanges[rangeOf(codePoint)]?.[2]
}

/** `U+200B` */
export function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}

/** UTF-16 units. */
export function unitsOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1
}

/** The index of the range that holds `codePoint`, or -1. */
function rangeOf(codePoint: number): number {
  if (codePoint >= 0x20 && codePoint < 0x7f) return -1
  let low = 0
  let high = hiddenRanges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lastCodePoints[middle] as number) < codePoint) low = middle + 1
    else high = middle
  }
  return (firstCodePoints[low] as number) <= codePoint ? low : -1
}

function nonCharactersOfPlanes(first: number, last: number): HiddenRange[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const plane = (first + index) * 0x10000
    return [plane + 0xfffe, plane + 0xffff, 'invisible']
  })
}
