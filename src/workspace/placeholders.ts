import { labelAsValue, placeholderWords, promptOpenings } from './template-phrases.js'

/** Longer texts are nobody's stock phrase, in UTF-16 units. */
const maxPhrase = 400
/** A shorter text with a question mark may be a name or a mood, in UTF-16 units. */
const minQuestion = 8
/** How much of a text is looked at to see how it begins, in UTF-16 units. */
const maxOpening = 80

/**
 * Whether a value says that there is none yet: `TBD`, `(待设置)`, `_(pick something you like)_`, `[Your name]`,
 * `{{agent_name}}`, `___`, nothing at all. A value that is only partly in brackets says something: `🙂 (임시)`.
 */
export function isPlaceholder(value: string): boolean {
  return withoutPlaceholders(value) === ''
}

/**
 * What is left of a text without the places that a template leaves to be filled in; empty if that leaves no more than
 * punctuation, a word for "not yet" or a request to fill something in. Linear in the text's length.
 */
export function withoutPlaceholders(text: string): string {
  const whole = withoutPair(text.trim())
  if (isBracketed(whole)) return ''
  const rest = /[({[<（]/.test(whole)
    ? withoutPair(withoutMarkup(withoutHints(whole).replace(slots, emptied)).trim())
    : whole
  if (isBlank(rest) || isPrompt(rest)) return ''
  return rest
}

const slots = /\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}|\{[^{}\s]{1,60}\}|(?<!\[)\[[^[\]]{1,200}\](?![\]([:])/g

/** `[text]` without a letter is no place to fill in: a check mark, a number. */
function emptied(slot: string): string {
  return slot.startsWith('[') && !/\p{L}{2}|\p{Lo}/u.test(slot) ? slot : ' '
}

/** Tags, and `<your name>`, which looks like one; an address in angle brackets stays. */
function withoutMarkup(text: string): string {
  return text.replace(/<\/?\p{L}[^<>]{0,200}>/gu, (tag) => (/:\/\/|@/.test(tag) ? tag : ' '))
}

const emphasisedHint = /(\*{1,3}|_{1,3})(?:\([^()（）]*\)|（[^()（）]*）)\1/g
const bracketed = /\(([^()（）]{1,200})\)|（([^()（）]{1,200})）/g

/** A text without its `_(hints)_`, and without `(optional)` and `(e.g. …)` in plain brackets. */
export function withoutHints(text: string): string {
  return text
    .replace(emphasisedHint, ' ')
    .replace(bracketed, (whole, ascii?: string, wide?: string) => (isAside((ascii ?? wide) as string) ? ' ' : whole))
    .trim()
}

function isAside(content: string): boolean {
  const words = normalised(content)
  return (
    optional.test(words) || /^(?:e\.g|eg|i\.e|for example|such as|例如|比如|例えば|예를 들|例:|如:|예:)/.test(words)
  )
}

const optional = /^(?:optional|required|if any|可选|可選|选填|選填|必填|任意|省略可|선택|선택 ?사항)$/

const blanks = /^[\s\p{Z}\p{Cc}\p{Cf}_\-–—―－.．…‥·•・*/\\|?？!！。､、，,~〜～＿()（）[\]{}<>`'"“”‘’「」『』【】]*$/u
/** 〇〇, xxx, $NAME, AGENT_NAME, YOUR_TIMEZONE. */
const masks =
  /^(?:[○〇◯△×□●＊]{2,}|x{2,4}|X{2,4}|[$%][A-Z][A-Z0-9_]*%?|(?:[A-Z0-9]+_)+(?:NAME|ROLE|EMOJI|TIMEZONE|HERE)|(?:YOUR|INSERT|ENTER)(?:_[A-Z0-9]+)+)$/

function isBlank(text: string): boolean {
  return blanks.test(text) || masks.test(text)
}

/**
 * Whether the whole text stands in round, square, angle or thick brackets, the way a hint does. A face made of
 * characters, `(◕‿◕)`, does not: it has no two letters side by side.
 */
function isBracketed(text: string): boolean {
  const open = brackets.indexOf(text[0] ?? ' ')
  if (open === -1 || open % 2 === 1 || text.startsWith('[[')) return false
  const last = text.length - 1
  const close = brackets[open + 1] as string
  // Brackets of both widths are mixed up often enough.
  if (text[last] !== close && !(open < 4 && (text[last] === ')' || text[last] === '）'))) return false
  let depth = 0
  for (let at = 0; at <= last; at += 1) {
    const kind = brackets.indexOf(text[at] as string)
    if (kind === -1 || (open < 4 ? kind >= 4 : kind >> 1 !== open >> 1)) continue
    depth += kind % 2 === 0 ? 1 : -1
    if (depth === 0 && at < last) return false
  }
  if (depth !== 0) return false
  const content = text.slice(1, -1)
  if (open >= 6 && /:\/\/|@/.test(content)) return false
  return /\p{L}\p{L}/u.test(content) || isBlank(content) || isPrompt(content)
}

const brackets = '()（）[]<>【】'

/** How many lines a hint may run over. */
const maxHintLines = 12

/**
 * The lines of a paragraph or a list item, those emptied that are a hint as a whole: in italics or in round brackets,
 * from the start of a line to the end of the same or a later one.
 */
export function withoutHintLines(lines: readonly string[]): string[] {
  const kept = [...lines]
  for (let at = 0; at < lines.length; at += 1) {
    for (let end = hintEnd(lines, at); at < end; at += 1) kept[at] = ''
  }
  return kept
}

/** Behind the last line of the hint that starts with a line; the line itself if none does. */
function hintEnd(lines: readonly string[], start: number): number {
  const [open = ''] = lines[start] as string
  if (!'_*(（'.includes(open)) return start
  const last = Math.min(lines.length, start + maxHintLines)
  for (let at = start; at < last && lines[at] !== ''; at += 1) {
    const text = lines[at] as string
    const closed = open === '_' || open === '*' ? text.endsWith(open) : /[)）]$/.test(text)
    if (closed && isHint(lines.slice(start, at + 1).join(' '))) return at + 1
  }
  return start
}

/** Whether a text is in italics or in brackets as a whole. */
function isHint(text: string): boolean {
  if (/^[(（]/.test(text)) return isBracketed(text)
  const mark = text[0] as string
  const inner = text.slice(1, -1)
  if (inner.trim() === '' || inner.startsWith(mark) || inner.endsWith(mark) || /^\s|\s$/.test(inner)) return false
  if (mark === '*') return !inner.replaceAll('**', '').includes('*')
  return !/(?<![\p{L}\p{N}_])_(?!_)|(?<!_)_(?![\p{L}\p{N}_])/u.test(inner)
}

/** Whether a text is a word for "not yet" or asks for what should stand there. */
function isPrompt(text: string): boolean {
  if (text.length > minQuestion && /[?？]$/.test(text)) return true
  const start = normalised(text.slice(0, maxOpening))
  if (startsAsPrompt.test(start)) return true
  if (text.length > maxOpening) return false
  const words = start.replace(/[\s.。!:…]+$/, '')
  return placeholderWords.has(words) || pending.test(words) || labelAsValue.test(words)
}

/** 待定, 待老板指定, 尚未起名, 나중에 정함. */
const pending =
  /^待(?:定|填|补|補|设|設|选|選|起|取|续|續)?$|^(?:待|尚未|还没|還沒|暂未|暫未|等).{0,8}(?:填写|填寫|设置|設置|设定|設定|定义|定義|确认|確認|选择|選擇|补充|補充|更新|完善|命名|起名|取名|指定|决定|決定|商定)$|^(?:나중에|추후|아직) .{0,8}(?:결정|정함|정할|입력|작성|지정|예정|없음|않음)$/

const startsAsPrompt = openingOf(promptOpenings)

/** Matches a text, normalised, that begins with one of the phrases; a Latin word has to end with it. */
export function openingOf(phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives(phrases)})`)
}

/** Matches a text, normalised, that holds one of the phrases. */
export function anyOf(phrases: readonly string[]): RegExp {
  return new RegExp(alternatives(phrases))
}

function alternatives(phrases: readonly string[]): string {
  return phrases
    .map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&') + (/[a-z]$/.test(phrase) ? '(?![a-z])' : ''))
    .join('|')
}

/** The form that phrases are compared in; a text longer than any phrase comes back empty. */
export function normalised(text: string): string {
  if (text.length > maxPhrase) return ''
  // Most sentences need no more than this.
  if (/^[ -)+-^a-~]*$/.test(text)) return text.replace(/ {2,}/g, ' ').trim().toLowerCase()
  return text
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[‘’´]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

const pairs: readonly string[] = ['**', '__', '~~', '*', '_', '`', '"', "'", '“”', '‘’', '「」', '『』', '«»']

const pairStart = pairs.map(([open]) => open).join('')

/** A value without the emphasis, code marks and quotes around all of it. */
export function withoutPair(value: string): string {
  let text = value
  for (let peeled = pairStart.includes(value[0] ?? ' '); peeled; ) {
    peeled = false
    for (const pair of pairs) {
      const open = pair.length === 2 && pair[0] !== pair[1] ? (pair[0] as string) : pair
      const close = open === pair ? pair : (pair[1] as string)
      if (text.length <= open.length + close.length || !text.startsWith(open) || !text.endsWith(close)) continue
      const inner = text.slice(open.length, -close.length)
      if (inner.includes(close) || (open !== close && inner.includes(open))) continue
      text = inner.trim()
      peeled = true
    }
  }
  return text
}
