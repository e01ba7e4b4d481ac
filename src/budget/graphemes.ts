/** How far a cut looks for a place between two plain characters before it asks for grapheme boundaries, in UTF-16 units. */
const reach = 64

let segmenter: Intl.Segmenter | undefined

/** The last place at or before `at` where a text can be cut without splitting a grapheme. */
export function boundaryBefore(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  for (let place = at; place > 0 && place >= at - reach; place -= 1) {
    if (isPlainBoundary(text, place)) return place
  }
  return graphemeAt(text, at).start
}

/** The first place at or after `at` where a text can be cut without splitting a grapheme. */
export function boundaryAfter(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  for (let place = at; place < text.length && place <= at + reach; place += 1) {
    if (isPlainBoundary(text, place)) return place
  }
  const { start, end } = graphemeAt(text, at)
  return start === at ? at : end
}

function graphemeAt(text: string, at: number): { readonly start: number; readonly end: number } {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const found = segmenter.segment(text).containing(at)
  return found === undefined ? { start: at, end: at } : { start: found.index, end: found.index + found.segment.length }
}

function isPlainBoundary(text: string, place: number): boolean {
  return isPlain(text.charCodeAt(place - 1)) && isPlain(text.charCodeAt(place))
}

/**
 * Characters that never join with a plain neighbour, in any version of Unicode: ASCII but CR, CJK ideographs and
 * punctuation, kana. The tone marks at U+302A and the voicing marks at U+3099 do join.
 */
function isPlain(unit: number): boolean {
  if (unit < 0x7f) return unit !== 0x0d
  if (unit < 0x3000 || unit > 0xff9d) return false
  return (
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0x3400 && unit <= 0x4dbf) ||
    (unit <= 0x3096 && !(unit >= 0x302a && unit <= 0x302f)) ||
    (unit >= 0x309b && unit <= 0x30ff) ||
    unit >= 0xff01
  )
}
