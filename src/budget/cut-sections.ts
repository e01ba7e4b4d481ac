import type { Cut, CutOptions, Kept, LeftOut } from './cut.js'
import { namesOf } from './cut-names.js'
import { type Part, partsOf } from './cut-parts.js'
import { boundaryBefore } from './graphemes.js'

type Shown = 'nothing' | 'heading' | 'all'

/** UTF-16 units that the names of sections may have in the marker at the cost of sections; beyond, what is left over. */
const roomForNames = 400

/**
 * The sections of a text that fit, in its order, and a marker that names the others. A heading whose text is left out
 * stands above the compact marker. `undefined` where no text fits whole. Takes time linear in the text.
 */
export function cutToSections(text: string, options: CutOptions): Cut | undefined {
  const { max, marker, compactMarker } = options
  const parts = partsOf(text)
  const claims = parts.map((part) => claimOf(part, compactMarker))
  const attempt = (reserve: number): (Cut & { readonly kept: Kept; readonly leftOut: LeftOut }) | undefined => {
    const shown = choose(claims, max - reserve)
    if (!parts.some(({ blank }, index) => shown[index] === 'all' && !blank)) return undefined
    const { head, kept } = assemble(text, parts, shown, compactMarker)
    const leftOut = leftOutOf(parts, shown)
    return { head, marker: markerFor(max - head.length - 2, kept, leftOut, options), tail: '', kept, leftOut }
  }
  const full = marker({ head: max, tail: 0 }, { names: [], count: 0 }).length
  for (const reserve of [full + Math.min(roomForNames, Math.floor(max / 20)) + 2, compactMarker.length + 2, 0]) {
    // A marker that outweighs the text it stands for is no help.
    if (max - reserve < reserve) continue
    const cut = attempt(reserve)
    if (cut === undefined) continue
    // Few names take less than was kept for them.
    const closer = cut.marker.length + 2 < reserve ? attempt(cut.marker.length + 2) : undefined
    return closer !== undefined && closer.kept.head > cut.kept.head && namesAll(closer, options) ? closer : cut
  }
  return undefined
}

/** What a part takes at most, with what keeps it apart from the next: its heading alone, and all of it. */
interface Claim {
  readonly level: number
  readonly heading: number
  readonly all: number
}

function claimOf({ level, start, headingEnd, end, blank }: Part, sign: string): Claim {
  return { level, heading: headingEnd - start + (blank ? 1 : sign.length + 3), all: end - start + 2 }
}

/**
 * What to show of each part: headings by level, then by place, then whole texts by place. Where not all headings fit
 * they get half of the room, or there would be a table of contents and no text.
 */
function choose(claims: readonly Claim[], room: number): readonly Shown[] {
  const shown = claims.map((): Shown => 'nothing')
  let left = room
  const show = (index: number, what: Shown, cost: number, keepFree: number) => {
    if (cost > left - keepFree) return
    shown[index] = what
    left -= cost
  }
  const headings = claims.reduce((sum, { heading, all }) => sum + Math.min(heading, all), 0)
  const forTexts = headings <= room ? 0 : Math.ceil(room / 2)
  for (let level = 0; level <= 6; level += 1) {
    claims.forEach((claim, index) => {
      if (claim.level !== level) return
      // With a text that is shorter than the sign for it, all of it takes less.
      if (claim.all <= claim.heading) show(index, 'all', claim.all, forTexts)
      else show(index, 'heading', claim.heading, forTexts)
    })
  }
  claims.forEach(({ heading, all }, index) => {
    if (shown[index] === 'heading') show(index, 'all', all - heading, 0)
  })
  return shown
}

function assemble(text: string, parts: readonly Part[], shown: readonly Shown[], sign: string) {
  const pieces: string[] = []
  const last = shown.findLastIndex((what) => what !== 'nothing')
  let kept = 0
  let apart = ''
  parts.forEach((part, index) => {
    const what = shown[index]
    if (what === undefined || what === 'nothing') return
    const follows = index > 0 && shown[index - 1] === 'all'
    const start = follows ? part.start : withoutIndent(text, part)
    const end = what === 'heading' ? part.headingEnd : index === last ? withoutNewlines(text, part) : part.end
    const piece = text.slice(start, end)
    kept += piece.length
    pieces.push(follows ? '' : apart, piece)
    if (what === 'heading' && !part.blank) pieces.push(part.level === 0 ? sign : `\n${sign}`)
    apart = what === 'all' ? blankLineAfter(piece) : part.blank ? '\n' : '\n\n'
  })
  return { head: pieces.join(''), kept: { head: kept, tail: 0 } }
}

/** Behind a list that it did not follow an indented heading would be a part of the list's last item. */
function withoutIndent(text: string, { start, headingEnd }: Part): number {
  let at = start
  while (at < headingEnd && (text[at] === ' ' || text[at] === '\t')) at += 1
  return Math.max(start, boundaryBefore(text, at))
}

/** What stands last ends with its last line: the blank line before the marker is not the text's. */
function withoutNewlines(text: string, { headingEnd, end }: Part): number {
  let at = end
  while (at > headingEnd && (text[at - 1] === '\n' || text[at - 1] === '\r')) at -= 1
  return at
}

/** Behind a paragraph that it did not follow a heading would be one with it, if it is one by its underline. */
function blankLineAfter(piece: string): string {
  if (piece.endsWith('\n\n')) return ''
  return piece.endsWith('\r') ? '\n\n' : '\n'
}

function leftOutOf(parts: readonly Part[], shown: readonly Shown[]): LeftOut {
  const out = parts.filter(({ level, blank }, index) => {
    const what = shown[index]
    return level > 0 && (what === 'nothing' || (what === 'heading' && !blank))
  })
  return { names: namesOf(out.map(({ title }) => title)), count: out.length }
}

function namesAll(
  { marker, kept, leftOut }: { readonly marker: string; readonly kept: Kept; readonly leftOut: LeftOut },
  options: CutOptions,
) {
  return marker === options.marker(kept, leftOut)
}

/** The marker with as many names as fit, or with none, or the compact one, or none. */
function markerFor(room: number, kept: Kept, leftOut: LeftOut, { marker, compactMarker }: CutOptions): string {
  const { names, count } = leftOut
  for (let named = names.length; named >= 0; named -= 1) {
    const full = marker(kept, { names: names.slice(0, named), count })
    if (full.length <= room) return full
  }
  return compactMarker.length <= room ? compactMarker : ''
}
