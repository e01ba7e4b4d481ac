import { codePointName, type HiddenKind, hiddenKind, isClean, isHidden, unitsOf } from './invisible.js'
import { holdsJoiner, isDirectionMark, takesSelector } from './joiner-context.js'

/** A text that is safe to show. */
export interface CleanText {
  readonly text: string
  /** What was taken out, one entry a kind, ordered by kind. Newlines and silent byte order marks are not listed. */
  readonly removed: readonly Removal[]
}

type RemovalKind = HiddenKind | 'lone-surrogate'

export interface Removal {
  readonly kind: RemovalKind
  /** How many code points. */
  readonly count: number
  /** The distinct ones, `U+200B`, the 8 lowest in code-point order. */
  readonly codePoints: readonly string[]
}

/** Called for a hidden character with nothing to do. Returns what is shown instead. */
export type HiddenReplacer = (codePoint: number, kind: HiddenKind, atLineStart: boolean) => string

const newline = 0x0a
const blackFlag = 0x1f3f4
const cancelTag = 0xe007f
const shownCodePoints = 8

const nothingRemoved: readonly Removal[] = Object.freeze([])

/** England, Scotland, Wales: the only tag sequences that are emoji. */
const flagTags: readonly string[] = ['gbeng', 'gbsct', 'gbwls'].map((region) => {
  const tags = Array.from(region, (letter) => 0xe0000 + letter.charCodeAt(0))
  return String.fromCodePoint(...tags, cancelTag)
})

/**
 * The prompt's copy of a text: newlines are `\n`, and what a reader cannot see is gone, unless a script or an emoji
 * needs it where it stands. Lone surrogates become U+FFFD. A byte order mark at the start of a line goes without a
 * report. Nothing is normalised, and nothing else changes; cleaning a clean text changes nothing. Takes time linear in
 * `raw` and never throws.
 */
export function cleanText(raw: string): CleanText {
  if (isClean(raw)) return { text: raw, removed: nothingRemoved }
  const found = new Map<RemovalKind, Map<number, number>>()
  const report = (kind: RemovalKind, codePoint: number) => {
    const counts = found.get(kind) ?? new Map<number, number>()
    found.set(kind, counts.set(codePoint, (counts.get(codePoint) ?? 0) + 1))
  }
  const wellFormed = raw.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/\p{Surrogate}/gu, (surrogate) => {
    report('lone-surrogate', surrogate.charCodeAt(0))
    return '\uFFFD'
  })
  const text = replaceHidden(wellFormed, (codePoint, kind, atLineStart) => {
    if (kind !== 'byte-order-mark' || !atLineStart) report(kind, codePoint)
    return ''
  })
  return { text, removed: found.size === 0 ? nothingRemoved : removals(found) }
}

/** Replaces every hidden character that has nothing to do where it stands. `text` must be well-formed. */
export function replaceHidden(text: string, replace: HiddenReplacer): string {
  let result = ''
  let copied = 0
  let before = newline
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) as number
    if (!isHidden(codePoint)) {
      before = codePoint
      at += unitsOf(codePoint)
      continue
    }
    const run = hiddenRun(text, at)
    const after = text.codePointAt(run.end) ?? newline
    result += text.slice(copied, at) + replaceInRun(run.codePoints, before, after, replace)
    at = run.end
    copied = run.end
  }
  return result + text.slice(copied)
}

/**
 *   before │ flag tags │ selector │ joiner and direction mark, in either order │ after
 *
 * At most one of each survives, whatever the length of the run. What survives depends on the characters that show and
 * on being first in the run, and cleaning changes neither: that is why cleaning twice is cleaning once.
 */
function replaceInRun(run: readonly number[], before: number, after: number, replace: HiddenReplacer): string {
  const flag = before === blackFlag ? leadingFlagTags(run) : []
  const base = flag.length > 0 ? cancelTag : before
  let result = String.fromCodePoint(...flag)
  let joined = false
  let marked = false
  for (let index = flag.length; index < run.length; index += 1) {
    const codePoint = run[index] as number
    const kind = hiddenKind(codePoint) as HiddenKind
    const selects = index === flag.length && kind === 'variation-selector' && takesSelector(base, codePoint, after)
    const joins: boolean = !joined && holdsJoiner(base, codePoint, after)
    const marks: boolean = !marked && isDirectionMark(codePoint)
    joined ||= joins
    marked ||= marks
    result +=
      selects || joins || marks
        ? String.fromCodePoint(codePoint)
        : replace(codePoint, kind, index === 0 && before === newline)
  }
  return result
}

function leadingFlagTags(run: readonly number[]): readonly number[] {
  const length = run.indexOf(cancelTag) + 1
  const tags = run.slice(0, Math.min(length, 6))
  return flagTags.includes(String.fromCodePoint(...tags)) ? tags : []
}

function hiddenRun(text: string, start: number): { readonly codePoints: readonly number[]; readonly end: number } {
  const codePoints: number[] = []
  let end = start
  while (end < text.length) {
    const codePoint = text.codePointAt(end) as number
    if (!isHidden(codePoint)) break
    codePoints.push(codePoint)
    end += unitsOf(codePoint)
  }
  return { codePoints, end }
}

function removals(found: ReadonlyMap<RemovalKind, ReadonlyMap<number, number>>): readonly Removal[] {
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, counts]) => ({
      kind,
      count: [...counts.values()].reduce((sum, count) => sum + count, 0),
      codePoints: [...counts.keys()]
        .sort((a, b) => a - b)
        .slice(0, shownCodePoints)
        .map(codePointName),
    }))
}
