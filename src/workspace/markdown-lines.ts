import { findFrontMatter } from './front-matter.js'

/** One line of a Markdown text as a person reads it: no comments, no quote marks, no list mark. */
export interface MarkdownLine {
  readonly kind: 'blank' | 'text' | 'item' | 'heading' | 'row' | 'rule' | 'fence'
  /** Without indentation, marks and trailing space; empty for a rule, a blank line and the mark of a fence. */
  readonly text: string
  /** In columns, a tab up to the next multiple of four; behind the marks of a block quote. */
  readonly indent: number
  /** Of a heading, else 0. */
  readonly level: number
  /** Whether it stands in a code fence. */
  readonly fenced: boolean
}

const listMark = /^(?:[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|[•‣◦・●■◆▪])[ \t\u3000]*/
const listMarkStart = '-*+0123456789•‣◦・●■◆▪'
const ruleLine = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const headingMark = /^#{1,6}(?=[ \t]|$)|^#{2,6}(?=[^#\s])/
/** Where a list that lost its line breaks goes on: ` - **Label:**`. */
const flattened = /\s[-–—|·•]\s(?=\*\*[^*\n]{1,40}(?:[:：]\*\*|\*\*\s?[:：]))/

/**
 * The lines of a text. Comments are gone, and with them the lines that held nothing else; a `<!--` that nothing closes
 * is text. A fence that nothing closes goes on to the end, as in CommonMark. Linear in the text's length.
 */
export function markdownLines(text: string): MarkdownLine[] {
  return [...eachMarkdownLine(withUnixLineEnds(text))]
}

/**
 * The same one by one, for a reader who may not need them all.
 * @param text with LF line ends
 */
export function* eachMarkdownLine(text: string): Generator<MarkdownLine, void> {
  let before: MarkdownLine | undefined
  for (const line of readLines(text, false)) {
    // A run of blank lines says no more than one.
    if (line.kind !== 'blank' || before?.kind !== 'blank') yield line
    before = line
  }
}

/** LF for every line ending there is, and no byte order mark at the start. */
export function withUnixLineEnds(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
}

/**
 * Splits off a leading front matter block. The block has to look like a mapping: two rules with prose or a list between
 * them are text.
 * @param text with LF line ends
 */
export function splitFrontMatter(text: string): { readonly block: string; readonly body: string } {
  const found = findFrontMatter(text)
  if (found === undefined || !isMapping(found.block)) return { block: '', body: text }
  return { block: found.block, body: text.slice(found.end) }
}

function isMapping(block: string): boolean {
  let keys = 0
  for (const line of block.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    if (/^[^\s:#\-*&![\]{}>|%@`<][^:]{0,100}:(?:\s|$)/.test(line)) keys += 1
    else if (keys === 0 || !/^(?:[ \t]|-(?:\s|$))/.test(line)) return false
  }
  return keys > 0
}

function* readLines(source: string, fenced: boolean): Generator<MarkdownLine, void> {
  const firstOpen = source.indexOf('<!--')
  const lastClose = source.lastIndexOf('-->')
  for (let at = 0; at < source.length; ) {
    let end = lineEnd(source, at)
    const fence = fenced ? undefined : fenceAt(source.slice(at, end))
    if (fence !== undefined) {
      const close = fenceEnd(source, end + 1, fence)
      yield fenceLine
      yield* readLines(source.slice(end + 1, close.start), true)
      if (close.closed) yield fenceLine
      at = close.end
      continue
    }
    let kept = ''
    let commented = false
    while (firstOpen !== -1 && at < lastClose) {
      const open = commentStart(source.slice(at, end))
      if (open === -1 || at + open + 2 > lastClose) break
      commented = true
      kept += source.slice(at, at + open)
      at = source.indexOf('-->', at + open + 2) + 3
      if (at > end) end = lineEnd(source, at)
    }
    const line = kept + source.slice(at, end)
    if (!commented || line.trim() !== '') yield* linesIn(line, fenced)
    at = end + 1
  }
}

const fenceLine: MarkdownLine = { kind: 'fence', text: '', indent: 0, level: 0, fenced: true }

/** One, unless it is a list that lost its line breaks. */
function linesIn(raw: string, fenced: boolean): readonly MarkdownLine[] {
  const { indent, text } = dedent(raw)
  if (text === '') return fenced ? blankInFence : blank
  if (text[0] === '|' || !text.includes(' **')) return [lineOf(text, indent, fenced)]
  const [first, ...others] = text.split(flattened)
  const items = others.map((other) => ({ kind: 'item', text: other.trim(), indent, level: 0, fenced }) as const)
  return [lineOf(first as string, indent, fenced), ...items]
}

const blank: readonly MarkdownLine[] = [{ kind: 'blank', text: '', indent: 0, level: 0, fenced: false }]
const blankInFence: readonly MarkdownLine[] = [{ kind: 'blank', text: '', indent: 0, level: 0, fenced: true }]

function lineOf(text: string, indent: number, fenced: boolean): MarkdownLine {
  const first = text[0] as string
  // Most lines are text, and a glance at the first character says so.
  if (first === '|') return { kind: 'row', text, indent, level: 0, fenced }
  if ('-*_'.includes(first) && ruleLine.test(text)) return { kind: 'rule', text: '', indent, level: 0, fenced }
  if (first === '#') {
    const level = headingMark.exec(text)?.[0].length ?? 0
    if (level > 0) return { kind: 'heading', text: withoutClosingMark(text.slice(level)), indent, level, fenced }
  }
  const mark = markLength(text)
  if (mark > 0) return { kind: 'item', text: text.slice(mark).trimEnd(), indent, level: 0, fenced }
  return { kind: 'text', text, indent, level: 0, fenced }
}

function markLength(text: string): number {
  return listMarkStart.includes(text[0] as string) ? (listMark.exec(text)?.[0].length ?? 0) : 0
}

function withoutClosingMark(heading: string): string {
  const text = heading.trim()
  let end = text.length
  while (end > 0 && text[end - 1] === '#') end -= 1
  return end === 0 || text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text
}

function dedent(raw: string): { readonly indent: number; readonly text: string } {
  let indent = 0
  let at = 0
  for (; at < raw.length; at += 1) {
    const char = raw[at]
    if (char === ' ') indent += 1
    else if (char === '\t') indent += 4 - (indent % 4)
    else if (char === '\u3000') indent += 2
    else if (char === '>') {
      indent = 0
      if (raw[at + 1] === ' ') at += 1
    } else break
  }
  return { indent, text: raw.slice(at).trim() }
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end === -1 ? source.length : end
}

/** Where a comment opens in a line; `<!--` right behind a backtick is quoted. */
function commentStart(line: string): number {
  let open = line.indexOf('<!--')
  while (open > 0 && line[open - 1] === '`') open = line.indexOf('<!--', open + 4)
  return open
}

interface Fence {
  readonly char: string
  readonly length: number
  readonly quoted: boolean
}

function fenceAt(line: string): Fence | undefined {
  if (!line.includes('```') && !line.includes('~~~')) return undefined
  const marked = dedent(line).text
  const text = marked === '' ? '' : marked.slice(markLength(marked))
  const run = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  if (run === undefined || (run[0] === '`' && text.includes('`', run.length))) return undefined
  return { char: run[0] as string, length: run.length, quoted: isQuoted(line) }
}

/** Where the content of a fence ends, and where the text goes on behind its closing mark. */
function fenceEnd(
  source: string,
  from: number,
  fence: Fence,
): { readonly start: number; readonly end: number; readonly closed: boolean } {
  for (let at = from; at < source.length; ) {
    const end = lineEnd(source, at)
    const line = source.slice(at, end)
    if (fence.quoted && !isQuoted(line)) return { start: at, end: at, closed: true }
    const { text } = dedent(line)
    const closes = text[0] === fence.char && text.length >= fence.length && text === fence.char.repeat(text.length)
    if (closes) return { start: at, end: end + 1, closed: true }
    at = end + 1
  }
  return { start: source.length, end: source.length, closed: false }
}

function isQuoted(line: string): boolean {
  return line.trimStart().startsWith('>')
}

interface Labelled {
  readonly label: string
  readonly value: string
}

const dashed = /^(?:\*\*|__)([^*_\n]{1,40})(?:\*\*|__)[ \t]+[-–—→=][ \t]+(?=\S)/
const openMark = /(?:^|[^\p{L}\p{N}_*])(\*{1,3}|_{1,3}|`{1,2})(?=\S)/u
/** In UTF-16 units, without what stands in brackets behind it. */
const maxLabel = 60
const maxAside = 100

/**
 * Reads `Label: value` in all its dresses: `**Label:** value`, `**Label**: value`, `**Label: value**`, full-width
 * colons, `**Label** — value`. Undefined where what stands before the colon is no label but a sentence, an address or
 * a time of day.
 */
export function splitLabel(text: string): Labelled | undefined {
  const dash = text.startsWith('**') || text.startsWith('__') ? dashed.exec(text) : null
  if (dash !== null) return { label: (dash[1] as string).trim(), value: text.slice(dash[0].length) }
  const colon = labelColon(text)
  if (colon < 1) return undefined
  const before = text.slice(0, colon)
  let value = text.slice(colon + 1)
  if (value.startsWith('//') || (/\d$/.test(before) && /^\d/.test(value))) return undefined
  const mark = openMark.exec(before)?.[1]
  if (mark !== undefined && before.split(mark).length % 2 === 0) {
    const close = value.indexOf(mark)
    if (close !== -1) value = value.slice(0, close) + value.slice(close + mark.length)
  }
  const label = before.replace(/\([^()]*\)|（[^（）]*）|[*`]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '').trim()
  if (label.length > maxLabel || !/\p{L}/u.test(label) || /[.!?;。！？；](?:\s|$)|[。！？；]|^[[(<{]/.test(label)) {
    return undefined
  }
  return { label, value: value.trim() }
}

/** Where the first colon stands that is not in brackets, -1 if too far off for a label. */
function labelColon(text: string): number {
  const start = text.slice(0, maxLabel + maxAside)
  if (!/[:：]/.test(start)) return -1
  let depth = 0
  for (let at = 0; at < start.length; at += 1) {
    const char = start[at]
    if (char === '(' || char === '（') depth += 1
    else if (char === ')' || char === '）') depth -= 1
    else if (depth <= 0 && (char === ':' || char === '：')) return at
  }
  return -1
}

/** The cells of a table row, trimmed; an escaped bar is a character like others. */
export function tableCells(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  return cells
}

/** Whether a table row is the `|---|:--:|` under the header. */
export function isDelimiterRow(row: string): boolean {
  return row.includes('-') && /^[|:\-\s]+$/.test(row)
}
