import type { Dialect, OpenBlocks } from './blocks.js'
import { lineAt } from './line-cursor.js'
import { BlockScanner } from './scan-blocks.js'

/** Without one of these a line opens no fenced code, no HTML and no comment. */
const opener = /```|~~~|</g

/** What starts no list item, no block quote and no indented code. */
const plainStart = /[^\s>*+\-\d]/

const nothingOpen: OpenBlocks = { open: undefined, commentOpen: false }

/**
 * What a text leaves open at its end, by reading only the lines that matter to that.
 *
 *     A paragraph.                      nothing is open, and no opener stands in it: skipped
 *
 *     Another one, the last before      read from here on: behind a blank line, and no container can hold it
 *     the opener.
 *     ```
 *     code                              read, until nothing is open
 *     ```
 *
 *     A paragraph.                      skipped
 */
export function openBlocks(text: string, dialect: Dialect): OpenBlocks {
  const scanner = new BlockScanner(text, dialect)
  let at = 0
  let next = openerFrom(text, 0)
  let sought = -1
  let lastOpener = -1
  while (at < text.length) {
    if (scanner.isIdle(lastOpener)) {
      if (next < 0) return nothingOpen
      // Sought once for each opener, or a long list before it would be looked through at each of its lines.
      const start = sought === next ? -1 : plainStartBefore(text, next, at)
      sought = next
      if (start > at) {
        scanner.restart()
        at = start
      }
    }
    const line = lineAt(text, at)
    scanner.read(line)
    if (next >= 0 && next < line.nextStart) {
      lastOpener = at
      next = openerFrom(text, line.nextStart)
    }
    at = line.nextStart
  }
  const { open, commentOpen } = scanner.end()
  return { open, commentOpen }
}

function openerFrom(text: string, start: number): number {
  opener.lastIndex = start
  return opener.exec(text)?.index ?? -1
}

/** The last line from `start` up to `end` at which every block before it has ended, whatever it was; -1 if none has. */
function plainStartBefore(whole: string, end: number, start: number): number {
  // No further than that, or each of many openers would be sought from at the start of the text.
  const text = whole.slice(start, end)
  for (let at = text.lastIndexOf('\n\n'); at > 0; at = text.lastIndexOf('\n\n', at - 1)) {
    if (plainStart.test(whole.charAt(start + at + 2))) return start + at + 2
  }
  return -1
}
