import { replaceHidden } from '../workspace/clean.js'
import { isHidden, unitsOf } from '../workspace/invisible.js'

/** In upper case, where more spellings meet: `ı` and `ſ` have no other lower case. */
const fileTagName = 'FILE'
const hintTagName = 'SYSTEM_HINT'

/** A space behind `<|` makes it an operator of F# and Elm. */
const angleToken =
  /<(?:[|｜](?!\s)[^|｜\n\r\u0085\u2028\u2029]{1,64}[|｜]>|<\/?SYS>>|\/?s>|(?:start|end)_of_turn>|[be]os>)/
const bracketToken = /\[(?:\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)|TOOL_CALLS)\]/
/** The bracket of what may be one of our tags: a blank, a slash, a first letter or no ASCII at all follows. */
const tagStart = /[<＜﹤](?=[\s/fs\0-\x1F]|[^\0-\x7E])/

/** Behind any of these characters one at a time, so that a delimiter inside another one is found as well. */
const bracket = /[<[＜﹤]/g
const tokenHere = new RegExp(`${angleToken.source}|${bracketToken.source}`, 'iy')
const tagHere = new RegExp(tagStart.source, 'iy')

/**
 * Own delimiters and chat-template tokens made harmless: their opening character is shown as an entity, `&lt;` or
 * `&#91;`, and nothing else changes. A tag is recognised through full-width and other compatibility letters, through
 * white space behind its bracket or slash, and through hidden characters anywhere; a `<|…|>` with at most 64 UTF-16
 * units inside. Applying it twice is applying it once. Takes time linear in `content` and never throws.
 *
 * - `fileTag`: also `<file …>` and `</file>`, for content that stands inside that tag
 */
export function escapeDelimiters(content: string, options: { readonly fileTag: boolean }): string {
  const names = options.fileTag ? [fileTagName, hintTagName] : [hintTagName]
  return content.replace(bracket, (character, at: number) => {
    const isDelimiter =
      matchesAt(tokenHere, content, at) || (matchesAt(tagHere, content, at) && beginsTag(content, at + 1, names))
    if (!isDelimiter) return character
    return character === '[' ? '&#91;' : '&lt;'
  })
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

/**
 * A value for between double quotes, on one line: `&`, `<`, `>` and `"` are shown as entities; newlines, controls and
 * hidden characters with nothing to do where they stand as numeric references. Lone surrogates become U+FFFD.
 */
export function escapeAttribute(value: string): string {
  const marked = value.toWellFormed().replace(/[&<>"]/g, (character) => entities[character] as string)
  const shown = replaceHidden(marked, numericReference)
  return shown.replace(/[\t\n\u2028\u2029]/g, (space) => numericReference(space.charCodeAt(0)))
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function numericReference(codePoint: number): string {
  return `&#x${codePoint.toString(16).toUpperCase()};`
}

/** Looks no further than the next `<`, which is neither blank nor part of a name: that keeps the whole linear. */
function beginsTag(text: string, start: number, names: readonly string[]): boolean {
  let at = skipBlanks(text, start)
  if (text[at] === '/' || text[at] === '／') at = skipBlanks(text, at + 1)
  let spelled = ''
  while (at < text.length) {
    const codePoint = text.codePointAt(at) as number
    at += unitsOf(codePoint)
    if (isHidden(codePoint)) continue
    spelled += compatible(codePoint).toUpperCase()
    if (names.includes(spelled)) return endsName(text, at)
    if (!names.some((name) => name.startsWith(spelled))) return false
  }
  return false
}

/** So does the end of the text. */
function endsName(text: string, at: number): boolean {
  const codePoint = text.codePointAt(at)
  return codePoint === undefined || isBlank(codePoint) || /^[<>/"'`‘’“”]$/.test(compatible(codePoint))
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const codePoint = text.codePointAt(at) as number
    if (!isBlank(codePoint)) break
    at += unitsOf(codePoint)
  }
  return at
}

/** White space, or nothing to be seen. */
function isBlank(codePoint: number): boolean {
  if (codePoint > 0x20 && codePoint < 0x7f) return false
  return isHidden(codePoint) || /^\s$/.test(String.fromCodePoint(codePoint))
}

/** `＜` → `<`, `ｆ` → `f`, `ﬁ` → `fi` */
function compatible(codePoint: number): string {
  if (codePoint >= 0xff01 && codePoint <= 0xff5e) return String.fromCharCode(codePoint - 0xfee0)
  const character = String.fromCodePoint(codePoint)
  return codePoint < 0x80 ? character : character.normalize('NFKC')
}
