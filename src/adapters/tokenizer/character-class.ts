import { codePointAt } from './utf8.js'

/** The classes that the patterns of the encodings tell apart. */
export const OTHER = 1
export const SPACE = 2
export const NEWLINE = 3
export const DIGIT = 4
export const UPPER = 5
export const LOWER = 6
/** A letter without case. */
export const LETTER = 7
export const MARK = 8

const tests: readonly (readonly [RegExp, number])[] = [
  [/^[\r\n]/u, NEWLINE],
  [/^\s/u, SPACE],
  [/^\p{N}/u, DIGIT],
  [/^\p{Ll}/u, LOWER],
  [/^[\p{Lu}\p{Lt}]/u, UPPER],
  [/^\p{L}/u, LETTER],
  [/^\p{M}/u, MARK],
]

const known = new Uint8Array(0x110000)

/** Half a surrogate pair is of the class `OTHER`. */
export function classAt(text: string, index: number, end: number): number {
  const unit = text.charCodeAt(index)
  const code = unit < 0xd800 || unit > 0xdbff ? unit : codePointAt(text, index, end)
  return known[code] || classify(code)
}

function classify(code: number): number {
  const character = String.fromCodePoint(code)
  const found = tests.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER
  known[code] = found
  return found
}
