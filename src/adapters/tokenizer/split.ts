import { classAt, DIGIT, LETTER, LOWER, MARK, NEWLINE, OTHER, SPACE, UPPER } from './character-class.js'

/**
 * Where the piece ends that starts at `start`, in UTF-16 units. The same pieces as of the pattern of the encoding, found
 * in one go: the patterns keep a way back for every character, and overflow the stack on a long run of letters.
 */
export type EndOfPiece = (text: string, start: number, end: number) => number

/**
 * `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+('s|'d|…)?`, the same with `+` and `*`
 * changed about, `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`
 */
export const endOfO200k: EndOfPiece = (text, start, end) => {
  const first = classAt(text, start, end)
  const isLetter = first === UPPER || first === LOWER || first === LETTER
  if (first === DIGIT) return endOfDigits(text, start, end)
  if (first !== NEWLINE) {
    const word = isLetter ? endOfCased(text, start, end) : endOfPrefixedCased(text, start, end, first)
    if (word > start) return word + contraction(text, word, end)
  }
  return endOfSymbols(text, start, end, first, true) || endOfSpace(text, start, end, false)
}

/**
 * `'(?:[sS]|…)`, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n]*`, `\s+$`, `\s*[\r\n]`,
 * `\s+(?!\S)`, `\s`
 */
export const endOfCl100k: EndOfPiece = (text, start, end) => {
  const suffix = contraction(text, start, end)
  if (suffix > 0) return start + suffix
  const first = classAt(text, start, end)
  if (first === DIGIT) return endOfDigits(text, start, end)
  if (first !== NEWLINE) {
    const isLetter = first === UPPER || first === LOWER || first === LETTER
    const from = isLetter ? start : start + widthAt(text, start, end)
    const word = endOfLetters(text, from, end)
    if (word > from) return word
  }
  return endOfSymbols(text, start, end, first, false) || endOfSpace(text, start, end, true)
}

function widthAt(text: string, index: number, end: number): number {
  const unit = text.charCodeAt(index)
  if (unit < 0xd800 || unit > 0xdbff || index + 1 >= end) return 1
  const low = text.charCodeAt(index + 1)
  return low >= 0xdc00 && low <= 0xdfff ? 2 : 1
}

function endOfDigits(text: string, start: number, end: number): number {
  let at = start
  for (let count = 0; count < 3 && at < end && classAt(text, at, end) === DIGIT; count += 1)
    at += widthAt(text, at, end)
  return at
}

function endOfLetters(text: string, start: number, end: number): number {
  let at = start
  while (at < end) {
    const found = classAt(text, at, end)
    if (found !== UPPER && found !== LOWER && found !== LETTER) break
    at += widthAt(text, at, end)
  }
  return at
}

/** The first way the pattern finds: lower case at the end before none, the character in front before none. */
function endOfPrefixedCased(text: string, start: number, end: number, first: number): number {
  const from = start + widthAt(text, start, end)
  const prefixed = endOfLowered(text, from, end)
  if (prefixed > from) return prefixed
  const bare = first === MARK ? endOfLowered(text, start, end) : start
  if (bare > start) return bare
  const upper = endOfUppers(text, from, end)
  return upper > from ? upper : start
}

function endOfCased(text: string, start: number, end: number): number {
  const lowered = endOfLowered(text, start, end)
  return lowered > start ? lowered : endOfUppers(text, start, end)
}

/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`, or `start` */
function endOfLowered(text: string, start: number, end: number): number {
  let at = start
  let lastCaseless = start
  let found = OTHER
  while (at < end) {
    found = classAt(text, at, end)
    if (found !== UPPER && found !== LETTER && found !== MARK) break
    at += widthAt(text, at, end)
    if (found !== UPPER) lastCaseless = at
  }
  if (at === end || found !== LOWER) return lastCaseless
  while (at < end) {
    found = classAt(text, at, end)
    if (found !== LOWER && found !== LETTER && found !== MARK) break
    at += widthAt(text, at, end)
  }
  return at
}

/** The rest of the second alternative: with a character without case, or a lower one behind, it was the first. */
function endOfUppers(text: string, start: number, end: number): number {
  let at = start
  while (at < end && classAt(text, at, end) === UPPER) at += widthAt(text, at, end)
  return at
}

/** UTF-16 units of `'s`, `'ll` and their like at `at`; 0 for none. */
function contraction(text: string, at: number, end: number): number {
  if (at + 1 >= end || text.charCodeAt(at) !== 0x27) return 0
  const first = text.charCodeAt(at + 1) | 0x20
  if (first === 0x73 || first === 0x64 || first === 0x6d || first === 0x74) return 2
  if (at + 2 >= end) return 0
  const second = text.charCodeAt(at + 2) | 0x20
  if (first === 0x6c && second === 0x6c) return 3
  return (first === 0x76 || first === 0x72) && second === 0x65 ? 3 : 0
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*`, with slashes among the newlines or without; 0 for none */
function endOfSymbols(text: string, start: number, end: number, first: number, slashes: boolean): number {
  const from = first === SPACE && text.charCodeAt(start) === 0x20 ? start + 1 : start
  let at = from
  while (at < end) {
    const found = classAt(text, at, end)
    if (found !== OTHER && found !== MARK) break
    at += widthAt(text, at, end)
  }
  if (at === from) return 0
  while (at < end) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x0a && unit !== 0x0d && !(slashes && unit === 0x2f)) break
    at += 1
  }
  return at
}

/** Through the last newline of the run; without one all but the last character, which goes to what follows. */
function endOfSpace(text: string, start: number, end: number, wholeAtEnd: boolean): number {
  let at = start
  let lastNewline = start
  while (at < end) {
    const found = classAt(text, at, end)
    if (found !== SPACE && found !== NEWLINE) break
    at += 1
    if (found === NEWLINE) lastNewline = at
  }
  if (wholeAtEnd && at === end) return at
  if (lastNewline > start) return lastNewline
  return at === end || at === start + 1 ? at : at - 1
}
