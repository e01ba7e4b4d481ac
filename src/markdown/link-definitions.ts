import type { Dialect } from './blocks.js'

const label = /\[((?:[^\\[\]]|\\[\s\S]){1,999})\]:[ \t]*\n?[ \t]*/y
const space = /[ \t]*\n?[ \t]*/y
const lineEnd = /[ \t]*(?:\n|$)/y
const closingMarks: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' }

/** Where the link reference definitions end that a paragraph starts with; 0 if it starts with none. */
export function definitionsEnd(paragraph: string, dialect: Dialect): number {
  let end = 0
  for (;;) {
    const next = definitionEnd(paragraph, end, dialect)
    if (next < 0) return end
    end = next
  }
}

/** Where the definition that starts at `start` ends, its line ending included; -1 if there is none. */
function definitionEnd(text: string, start: number, dialect: Dialect): number {
  label.lastIndex = start
  const match = label.exec(text)
  if (!match?.[1]?.trim() || match[1].length > 999) return -1
  const destination = destinationEnd(text, label.lastIndex)
  if (destination < 0) return -1
  const title = titleEnd(text, destination, dialect)
  const end = title < 0 ? -1 : lineEndAfter(text, title)
  return end < 0 ? lineEndAfter(text, destination) : end
}

function destinationEnd(text: string, start: number): number {
  if (text[start] === '<') return closedAt(text, start + 1, '>', '<\n')
  let open = 0
  let at = start
  for (; at < text.length && text.charCodeAt(at) > 0x20 && text.charCodeAt(at) !== 0x7f; at += 1) {
    if (isEscape(text, at)) at += 1
    else if (text[at] === '(') open += 1
    else if (text[at] === ')' && open === 0) break
    else if (text[at] === ')') open -= 1
  }
  return at > start && open === 0 ? at : -1
}

/** Where the title ends that stands, after white space, behind a destination; -1 if there is none. */
function titleEnd(text: string, destination: number, dialect: Dialect): number {
  space.lastIndex = destination
  space.exec(text)
  const mark = text[space.lastIndex] ?? ''
  const close = space.lastIndex > destination ? closingMarks[mark] : undefined
  if (close === undefined) return -1
  return closedAt(text, space.lastIndex + 1, close, mark === '(' && dialect === 'commonmark' ? '(' : '')
}

/** Where the first `close` from `start` on ends, or -1: there is none, or one of `not` comes before it. */
function closedAt(text: string, start: number, close: string, not: string): number {
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] as string
    if (isEscape(text, at)) at += 1
    else if (char === close) return at + 1
    else if (not.includes(char)) return -1
  }
  return -1
}

function isEscape(text: string, at: number): boolean {
  return text[at] === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')
}

function lineEndAfter(text: string, at: number): number {
  lineEnd.lastIndex = at
  return lineEnd.test(text) ? lineEnd.lastIndex : -1
}
