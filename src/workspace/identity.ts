import { merged } from '../plain-data.js'
import type { Identity, IdentityFields } from '../ports/identity.js'
import { type IdentityLabel, labelOf } from './identity-labels.js'
import {
  isDelimiterRow,
  type MarkdownLine,
  markdownLines,
  splitFrontMatter,
  splitLabel,
  tableCells,
  withUnixLineEnds,
} from './markdown-lines.js'
import { isPlaceholder, withoutHintLines, withoutHints, withoutPair } from './placeholders.js'

type Fields = { -readonly [Key in keyof IdentityFields]: IdentityFields[Key] }

const fieldNames = ['name', 'role', 'goals', 'voice', 'emoji', 'avatar'] as const
const defaultName = 'Assistant'
/** In UTF-16 units. */
const maxName = 50

/**
 * Reads an IDENTITY.md body (front matter already taken off): labelled values as bullets, bold or plain lines, under
 * headings and in tables, with labels in English, Chinese, Japanese and Korean. Of several values for a field the first
 * that is filled in counts. Placeholders, hints, comments and code fences count for nothing, and so do names that stand
 * in a title or in prose. Values are one line without the emphasis around them; the name has at most 50 UTF-16 units.
 * Linear in the text's length; never throws.
 * @param metadata the front matter; its `name` counts if the body has none
 */
export function parseIdentity(text: string, metadata?: Readonly<Record<string, unknown>>): IdentityFields {
  const found = labelledValues(markdownLines(text).map((line) => (line.fenced ? fence : line)))
  const fields: Fields = {}
  for (const { field, value } of ranked(found)) {
    if (fields[field] !== undefined) continue
    const clean = field === 'name' ? nameOf(value) : filledIn(value)
    if (clean !== undefined) fields[field] = clean
  }
  fields.name ??= typeof metadata?.name === 'string' ? nameOf(metadata.name) : undefined
  return merged<IdentityFields>(fields)
}

/**
 * Per field the first that is set, left to right: global, agent, file. The name defaults to `Assistant`. A blank string
 * sets nothing. Names are cut to 50 UTF-16 units between graphemes, whoever gave them.
 * @param from.file the raw text of IDENTITY.md, with or without its front matter; a plain `name: value` line in that
 * comes last of all
 * @param from.metadata the parsed front matter, if the caller has it
 */
export function resolveIdentity(from: {
  readonly global?: IdentityFields
  readonly agent?: IdentityFields
  readonly file?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}): Identity {
  const { block, body } = splitFrontMatter(withUnixLineEnds(from.file ?? ''))
  const file = parseIdentity(body, from.metadata)
  const fields: Fields = {}
  for (const field of fieldNames) {
    const given = [from.global?.[field], from.agent?.[field]].map((value) =>
      typeof value === 'string' ? oneLine(value) : '',
    )
    fields[field] = given.map((value) => (field === 'name' ? cutName(value) : value)).find((value) => value !== '')
    fields[field] ??= file[field]
  }
  const name = fields.name ?? frontMatterName(block) ?? defaultName
  return { ...merged<IdentityFields>(fields), name }
}

/** Stands for every line of a fence: it says nothing, and it ends what stands before it. */
const fence: MarkdownLine = { kind: 'fence', text: '', indent: 0, level: 0, fenced: true }

interface Found {
  readonly label: IdentityLabel
  readonly value: string
  /** In a bullet below another one, or in a table's header. */
  readonly minor: boolean
}

/** Everything that stands behind a label, in the order of the text. */
function labelledValues(lines: readonly MarkdownLine[]): Found[] {
  const found: Found[] = []
  let base = Number.POSITIVE_INFINITY
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as MarkdownLine
    if (line.kind === 'row') {
      const start = at
      while (lines[at + 1]?.kind === 'row') at += 1
      // Not spread into one call: a table may have more rows than a call takes arguments.
      for (const one of tableValues(lines.slice(start, at + 1).map(({ text }) => text))) found.push(one)
    } else if (line.kind === 'heading') {
      base = Number.POSITIVE_INFINITY
      found.push(...headingValue(lines, at))
    } else if (line.kind === 'item' || line.kind === 'text') {
      if (line.kind === 'item' && line.indent < base) base = line.indent
      const minor = line.kind === 'item' && line.indent >= base + 2
      found.push(...lineValue(lines, at).map((value) => ({ ...value, minor })))
    }
  }
  return found
}

function headingValue(lines: readonly MarkdownLine[], at: number): Found[] {
  const { text, level } = lines[at] as MarkdownLine
  const label = labelOf(text)
  // `## Agent` has prose below it.
  if (label === 'agent') return []
  if (label !== undefined) return [{ label, value: firstOf(below(lines, at + 1, -1), label), minor: false }]
  // `# Name: Nova` is a title.
  const split = level > 1 ? splitLabel(text) : undefined
  const named = split && labelOf(split.label)
  return split && named ? [{ label: named, value: split.value, minor: false }] : []
}

function lineValue(lines: readonly MarkdownLine[], at: number): Omit<Found, 'minor'>[] {
  const line = lines[at] as MarkdownLine
  const split = splitLabel(line.text) ?? boldLabel(line.text)
  const label = split && labelOf(split.label)
  if (split === undefined || label === undefined) return []
  const next = below(lines, at + 1, line.indent)
  if (split.value === '') return [{ label, value: firstOf(next, label) }]
  const more = next.findIndex(({ kind }) => kind !== 'text')
  const rest = isLong(label)
    ? next.slice(0, more === -1 ? next.length : more).filter(({ indent }) => indent > line.indent)
    : []
  return [{ label, value: [split.value, ...withoutHintLines(rest.map(({ text }) => text))].join(' ') }]
}

/** `**Name**` alone on its line. */
function boldLabel(text: string): { readonly label: string; readonly value: string } | undefined {
  const label = withoutPair(text)
  return /^(?:\*\*|__)/.test(text) && label !== text && labelOf(label) !== 'agent' ? { label, value: '' } : undefined
}

function isLong(label: IdentityLabel): boolean {
  return label === 'role' || label === 'goals' || label === 'voice' || label === 'standing'
}

/**
 * The lines that belong to a label: what is indented deeper, and what follows without a blank line.
 * @param indent the label's own, -1 for a heading, to which everything belongs up to the next heading, rule or label
 */
function below(lines: readonly MarkdownLine[], from: number, indent: number): MarkdownLine[] {
  const own: MarkdownLine[] = []
  let gap = false
  for (let at = from; at < lines.length && own.length < maxBelow; at += 1) {
    const line = lines[at] as MarkdownLine
    if (line.kind === 'blank') gap = true
    else if (line.kind === 'fence' && indent < 0) gap = true
    else if (line.kind !== 'text' && line.kind !== 'item') break
    else if (indent >= 0 && line.indent <= indent && (line.kind === 'item' || gap)) break
    else if (isLabelled(line.text)) break
    else {
      if (gap && own.length > 0) own.push(blank)
      own.push(line)
      gap = false
    }
  }
  return own
}

/** A value that runs over more lines is an essay, of which the beginning does. */
const maxBelow = 24
const blank: MarkdownLine = { kind: 'blank', text: '', indent: 0, level: 0, fenced: false }

function isLabelled(text: string): boolean {
  const split = splitLabel(text) ?? boldLabel(text)
  return split !== undefined && labelOf(split.label) !== undefined
}

/** The first value among the lines below a label: a paragraph or a list for a long field, a line for others. */
function firstOf(lines: readonly MarkdownLine[], label: IdentityLabel): string {
  const texts = withoutHintLines(lines.map(({ text }) => text))
  const start = texts.findIndex((text) => text !== '')
  if (start === -1) return ''
  const first = texts[start] as string
  const listed = lines[start]?.kind === 'item'
  if (!isLong(label)) return listed ? itemValue(first) : first
  const end = listed
    ? lines.length
    : texts.findIndex((text, at) => at > start && (text === '' || lines[at]?.kind === 'item'))
  const own = texts.slice(start, end === -1 ? lines.length : end)
  if (!listed) return own.join(' ')
  return own
    .filter((text, at) => lines[start + at]?.kind === 'item' && !/^\[ ?\](?:\s|$)/.test(text))
    .filter((text) => !isPlaceholder(splitLabel(text)?.value ?? text))
    .map((text) => withoutPair(text).replaceAll('**', ''))
    .join('; ')
}

/** `**Primary:** Nova` below a `## Name` is about the name, whatever its own label says. */
function itemValue(text: string): string {
  return text.startsWith('**') ? (splitLabel(text)?.value ?? text) : text
}

function tableValues(rows: readonly string[]): Found[] {
  const cells = rows.map(tableCells)
  const body = rows[1] !== undefined && isDelimiterRow(rows[1]) ? cells.slice(2) : cells
  const header = body === cells ? [] : (cells[0] ?? [])
  const labels = header.map(labelOf)
  if (labels.filter((label) => label !== undefined).length > 1) {
    // Several rows under such a header list several agents.
    if (body.length !== 1) return []
    return labels.flatMap((label, at) => (label ? [{ label, value: body[0]?.[at] ?? '', minor: false }] : []))
  }
  const values = body.flatMap((row) => rowValue(row, false))
  return values.length === 0 ? [] : [...values, ...rowValue(header, true)]
}

function rowValue([first = '', ...others]: readonly string[], minor: boolean): Found[] {
  const label = labelOf(first)
  return label === undefined ? [] : [{ label, value: others.find((cell) => cell !== '') ?? '', minor }]
}

/** By field, what counts before what: proper labels, then those of nested bullets, then nicknames. */
function ranked(found: readonly Found[]): { readonly field: keyof IdentityFields; readonly value: string }[] {
  const named = found.some(({ label }) => label === 'name' || label === 'agent' || label === 'nickname')
  const rank = ({ label, minor }: Found) => (label === 'nickname' || label === 'standing' ? 2 : 0) + (minor ? 1 : 0)
  return found
    .map((one) => ({ field: fieldOf(one.label, named), value: one.value, rank: rank(one) }))
    .sort((one, other) => one.rank - other.rank)
}

function fieldOf(label: IdentityLabel, named: boolean): keyof IdentityFields {
  if (label === 'nickname' || label === 'agent') return 'name'
  if (label === 'standing') return named ? 'role' : 'name'
  return label
}

function filledIn(value: string): string | undefined {
  if (isPlaceholder(value)) return undefined
  const clean = oneLine(
    withoutPair(
      withoutHints(value)
        .replace(/(?:<br ?\/?>|\\)$/, '')
        .trim(),
    ),
  )
  return clean === '' ? undefined : clean
}

function nameOf(value: string): string | undefined {
  const filled = filledIn(value)
  // A link says more than a name.
  const name = filled && cutName(filled.replace(/^\[([^[\]]{1,200})\]\([^()]{0,400}\)$/, '$1'))
  return name === '' ? undefined : name
}

/** Control characters, halves of a surrogate pair, marks that turn the direction of writing, and other invisible ones. */
const unprintable = /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

function oneLine(value: string): string {
  return value
    .replace(/[\s\u0085]/g, ' ')
    .replace(unprintable, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

let segmenter: Intl.Segmenter | undefined

/** Whole graphemes, as many as fit. One that does not fit alone is no name. */
function cutName(name: string): string {
  if (name.length <= maxName) return name
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  let end = 0
  // A little more than fits, as the last boundary hangs on what follows it.
  for (const { index, segment } of segmenter.segment(name.slice(0, maxName + 14))) {
    if (index + segment.length > maxName) break
    end = index + segment.length
  }
  return name.slice(0, end).trim()
}

/** The plain `name: value` of a front matter block; no YAML but quotes and a comment behind the value. */
function frontMatterName(block: string): string | undefined {
  const value = /^name[ \t]*:[ \t]+(.*)$/im.exec(block)?.[1]?.trim() ?? ''
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')(?:\s+#.*)?$/.exec(value)
  if (quoted !== null) return nameOf(quoted[1] ?? (quoted[2] as string))
  return /^[|>&*!{[%@`"'#]/.test(value) ? undefined : nameOf(value.replace(/\s#.*$/, ''))
}
