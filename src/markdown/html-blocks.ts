import type { Dialect } from './blocks.js'

/** How an HTML block ends: with the line in which `end` is found, or with a blank line. */
export interface HtmlBlock {
  readonly end: RegExp | 'blank line'
  /** What ends it when put on a line of its own; `''` where a blank line does. */
  readonly closer: string
  /** Whether an HTML comment can stand inside. */
  readonly comments: boolean
  /** Whether it can start where a paragraph is open. */
  readonly interrupts: boolean
}

const blockNames = new Set(
  `address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
   fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main
   menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr
   track ul`.split(/\s+/),
)

const rawStart = /<(pre|script|style|textarea)(?=[ \t>]|$)/iy
const rawEnd = /<\/(?:pre|script|style|textarea)>/i
const tagStart = /<\/?([a-z][a-z0-9-]*)/iy
const tagBoundary = /[ \t]|\/?>|$/y
const attribute: Readonly<Record<Dialect, RegExp>> = {
  commonmark: /[ \t]+[a-z_:][a-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?/iy,
  micromark: /[ \t]+[a-z_:][a-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`/]+|'[^']*'|"[^"]*"))?/iy,
}
const openTagEnd = /[ \t]*\/?>[ \t]*$/y
const closingTagEnd = /[ \t]*>[ \t]*$/y

const marked: readonly (readonly [start: RegExp, block: HtmlBlock])[] = [
  [/<!--/y, { end: /-->/, closer: '-->', comments: true, interrupts: true }],
  [/<\?/y, { end: /\?>/, closer: '?>', comments: false, interrupts: true }],
  [/<![a-z]/iy, { end: />/, closer: '>', comments: false, interrupts: true }],
  [/<!\[CDATA\[/y, { end: /\]\]>/, closer: ']]>', comments: false, interrupts: true }],
]
const element: HtmlBlock = { end: 'blank line', closer: '', comments: true, interrupts: true }
const completeTag: HtmlBlock = { ...element, interrupts: false }

/** The HTML block whose start condition the rest of a line, from its `<` on, meets. */
export function htmlBlockAt(line: string, dialect: Dialect): HtmlBlock | undefined {
  const raw = matchAt(rawStart, line, 0)?.[1]?.toLowerCase()
  if (raw) return { end: rawEnd, closer: `</${raw}>`, comments: raw === 'pre', interrupts: true }
  for (const [start, block] of marked) if (matchAt(start, line, 0)) return block
  const tag = matchAt(tagStart, line, 0)
  if (!tag) return undefined
  const after = tag[0].length
  if (blockNames.has((tag[1] as string).toLowerCase()) && matchAt(tagBoundary, line, after)) return element
  if (line[1] === '/') return matchAt(closingTagEnd, line, after) ? completeTag : undefined
  return matchAt(openTagEnd, line, attributesEnd(line, after, attribute[dialect])) ? completeTag : undefined
}

/** One match a time: one pattern for all of them could need too deep a stack on a hostile line. */
function attributesEnd(line: string, start: number, attribute: RegExp): number {
  let at = start
  for (let match = matchAt(attribute, line, at); match; match = matchAt(attribute, line, at)) at += match[0].length
  return at
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}
