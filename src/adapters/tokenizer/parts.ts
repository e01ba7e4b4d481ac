/** Lines longer than this are cut at sentences as well, so that an edit does not count all of them again. */
const LONG = 1_024

/** Parts to a stretch: 16 as a rule, and so many at the most. */
const MOST = 64

/** UTF-16 units after which a stretch ends with the part. */
const FULL = 16_384

/**
 * Parts of a text. Each ends at a place that no piece of the encoding's pattern goes across, and before which the
 * pattern does not look at what follows: so the counts of parts add up to that of the text. Whether a place is one
 * depends on what is near it alone, so behind an edit the parts are the same as before.
 */
export interface Parts {
  /** Where the part ends that starts at `start`. To be called from part to part. */
  endOfPart(start: number): number
  /** The same for several parts together; which go together depends on them alone as a rule. */
  endOfStretch(start: number): number
}

export function partsOf(text: string): Parts {
  let line = 0
  function endOfPart(start: number): number {
    if (start >= line) line = endOfLine(text, start)
    return endOfSentence(text, start, line)
  }
  return {
    endOfPart,
    endOfStretch(first) {
      let start = first
      for (let parts = 1; start < text.length; parts += 1) {
        const end = endOfPart(start)
        if (parts === MOST || end - first > FULL || endsStretch(text, start, end)) return end
        start = end
      }
      return start
    },
  }
}

/** Says yes to one part in 16, whatever is around it, by characters from all over it. */
function endsStretch(text: string, start: number, end: number): boolean {
  const step = 1 + ((end - start) >> 4)
  let mixed = end - start
  for (let at = start; at < end; at += step) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  return mixed >>> 28 === 0
}

function endOfLine(text: string, start: number): number {
  let at = text.indexOf('\n', start)
  while (at !== -1 && !startsPart(text, at + 1)) at = text.indexOf('\n', at + 1)
  return at === -1 ? text.length : at + 1
}

/** Whether the newline before `index` is the last of its run of white space, and no slash follows it at once. */
function startsPart(text: string, index: number): boolean {
  if (text.charCodeAt(index) === 0x2f) return false
  let at = index
  while (isBlank(text.charCodeAt(at))) at += 1
  return at < text.length && !isSpace(text.charCodeAt(at))
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09
}

/** `\s` */
function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  if (unit < 0xa0) return false
  if (unit >= 0x2000 && unit <= 0x200a) return true
  return [0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff].includes(unit)
}

/** In a long line: before the space behind a sentence or clause, before the mark behind a character of Chinese or Japanese. */
function endOfSentence(text: string, start: number, end: number): number {
  if (end - start <= LONG) return end
  for (let at = start + 1; at < end; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x20 ? isSentenceMark(text.charCodeAt(at - 1)) : isWideMark(unit) && isWide(text.charCodeAt(at - 1))) {
      return at
    }
  }
  return end
}

/** `!,.:;?` */
function isSentenceMark(unit: number): boolean {
  return unit === 0x2e || unit === 0x2c || unit === 0x3f || unit === 0x21 || unit === 0x3a || unit === 0x3b
}

/** `、。，` */
function isWideMark(unit: number): boolean {
  return unit === 0x3001 || unit === 0x3002 || unit === 0xff0c
}

/** A letter of kana or CJK */
function isWide(unit: number): boolean {
  return (unit >= 0x3041 && unit <= 0x3096) || (unit >= 0x4e00 && unit <= 0x9fff)
}
