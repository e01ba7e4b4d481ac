import {
  eachMarkdownLine,
  isDelimiterRow,
  type MarkdownLine,
  splitFrontMatter,
  splitLabel,
  tableCells,
  withUnixLineEnds,
} from './markdown-lines.js'
import { anyOf, isPlaceholder, normalised, openingOf, withoutHintLines, withoutPlaceholders } from './placeholders.js'
import { listPrompts, metaOpenings, sampleHeading, stockPatterns, stockPhrases } from './template-phrases.js'

/**
 * How many UTF-16 units of a text a person filled in. Front matter, comments, headings, list marks, emphasis, rules, the
 * scaffolding of tables, unchecked boxes, labels without a value, placeholders, whole-line hints, questions and the
 * stock sentences of templates count for nothing; a label with a value counts with it. What a template presets counts,
 * as nobody can tell it from an answer. Linear in the text's length.
 */
export function significantChars(text: string): number {
  return count(text, Number.POSITIVE_INFINITY)
}

/** Under so many significant units, by default 100. */
export function isNearlyEmpty(text: string, enough = 100): boolean {
  return count(text, enough) < enough
}

function count(text: string, stop: number): number {
  let sum = 0
  for (const part of parts(new Lookahead(eachMarkdownLine(splitFrontMatter(withUnixLineEnds(text)).body)))) {
    sum += typeof part === 'string' ? rowChars(part) : paragraphChars(part)
    if (sum >= stop) break
  }
  return sum
}

/** Lines, read as far as they are asked for: a text that is full of words says so in its first ones. */
class Lookahead {
  readonly #read: MarkdownLine[] = []
  readonly #rest: Iterator<MarkdownLine, void>

  constructor(lines: Iterable<MarkdownLine, void>) {
    this.#rest = lines[Symbol.iterator]()
  }

  at(index: number): MarkdownLine | undefined {
    while (this.#read.length <= index) {
      const next = this.#rest.next()
      if (next.done) return undefined
      this.#read.push(next.value)
    }
    return this.#read[index]
  }
}

/** The paragraphs, list items and table rows that could hold something. */
function* parts(lines: Lookahead): Generator<string | readonly string[]> {
  let inSample = false
  let prompted = false
  for (let at = 0, line = lines.at(at); line !== undefined; at += 1, line = lines.at(at)) {
    if (line.kind === 'heading') {
      if (!line.fenced) inSample = sampleHeading.test(normalised(line.text))
      prompted = false
    } else if (line.kind === 'fence' && inSample) at = fenceEnd(lines, at)
    else if (line.kind === 'row') {
      const { kind, text } = lines.at(at + 1) ?? line
      if (kind === 'row' && isDelimiterRow(text)) at += 1
      else if (!isDelimiterRow(line.text)) yield line.text
    } else if (line.kind === 'text' || line.kind === 'item') {
      const texts = [textIn(line)]
      // A text below a label that nobody filled in is the label's only if it is indented.
      const indent = isEmptyLabel(line.text) ? line.indent + 1 : 0
      for (let next = lines.at(at + 1); goesOn(next, line.fenced, indent); next = lines.at(at + 1)) {
        texts.push(textIn(next))
        at += 1
      }
      if (isUnderlined(texts)) continue
      const listed = line.kind === 'item' && prompted && splitLabel(line.text) === undefined
      if (line.kind === 'text') prompted = false
      if (asksForList(texts)) prompted = true
      else if (!listed) yield texts
    }
  }
}

/** Where the fence ends that starts at a line; the line itself if it has no end, as then it holds more than a sample. */
function fenceEnd(lines: Lookahead, start: number): number {
  for (let at = start + 1, line = lines.at(at); line !== undefined; at += 1, line = lines.at(at)) {
    if (line.kind === 'fence') return at
  }
  return start
}

/** In code without what is a comment in most languages of configuration. */
function textIn({ text, fenced }: MarkdownLine): string {
  return fenced ? text.replace(/(?:^|\s)#\s.*$/, '') : text
}

/** Whether a line belongs to the paragraph or list item that another one starts. */
function goesOn(line: MarkdownLine | undefined, fenced: boolean, indent: number): line is MarkdownLine {
  if (line?.kind !== 'text' || line.fenced !== fenced || line.indent < indent) return false
  return splitLabel(line.text) === undefined
}

function isEmptyLabel(text: string): boolean {
  const split = splitLabel(text)
  return split !== undefined && isPlaceholder(split.value)
}

/** A heading by the `===` under it. `---` makes none here: most who write it mean a rule. */
function isUnderlined(texts: readonly string[]): boolean {
  return texts.length === 2 && /^=+$/.test(texts[1] as string)
}

function asksForList(texts: readonly string[]): boolean {
  return /[:：][)）]?$/.test(texts.at(-1) as string) && listPrompt.test(normalised(texts.join(' ')))
}

const listPrompt = anyOf(listPrompts)

function rowChars(row: string): number {
  const [first = '', ...others] = tableCells(row)
  if (others.length === 0) return filledIn(first)
  const value = others.reduce((sum, cell) => sum + filledIn(cell), 0)
  return value === 0 ? 0 : plain(first).length + value
}

function paragraphChars(lines: readonly string[]): number {
  const marked = withoutHintLines(lines).join(' ').trim()
  if (/^\[ ?\](?:\s|$)/.test(marked)) return 0
  const text = marked.replace(/^\[[xX]\]\s/, '')
  const split = splitLabel(text)
  if (split === undefined) return filledIn(text)
  const value = filledIn(split.value)
  // The colon and the space behind it belong to the label.
  return value === 0 ? 0 : split.label.length + 2 + value
}

/** The size of what is left of a value or a paragraph when all that is the template's is gone. */
function filledIn(text: string): number {
  const rest = withoutPlaceholders(text)
  if (rest === '') return 0
  const own = rest.split(/(?<=[.!?]["')\]*_]?)\s+|(?<=[。！？])/).filter((sentence) => !isStock(sentence))
  return plain(own.join(' ')).length
}

/** A text without marks, in single spaces. */
function plain(text: string): string {
  return text
    .replace(/[*`]+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Whether a sentence is a question or a template's own. */
function isStock(sentence: string): boolean {
  const text = normalised(sentence)
  if (text === '') return false
  return (
    /\?["')\]]*$/.test(text) ||
    metaOpening.test(text) ||
    stock.test(text) ||
    stockPatterns.some((one) => one.test(text))
  )
}

const metaOpening = openingOf(metaOpenings)
const stock = anyOf(stockPhrases)
