import type { HeadingBlock, OpenBlocks } from './blocks.js'
import { openBlocks } from './open-blocks.js'
import { scanBlocks } from './scan-blocks.js'

export interface Heading {
  /** 1–6 */
  readonly level: number
  /** The text of the heading, trimmed, without closing `#`s; the lines of a setext heading joined by spaces. */
  readonly title: string
  /** Where its first line starts. */
  readonly start: number
  /** Where its last line ends, its line ending not included. */
  readonly end: number
}

/**
 * The lines to put after a text so that no block of it stays open: `''` when nothing is open. Each closer stands on a
 * line of its own; the text is taken to end where the closers begin.
 *
 * With `text + '\n' + closers + '\n\n'` (`text + '\n\n'` when there are none), what follows at column 0 is read as if
 * the text were not there: by the rules of CommonMark, by micromark, which departs from them here and there, and as far
 * as these allow also by those who look for fences and comments only. So code that the end of a list item ends has its
 * closer, too, and so has an HTML comment anywhere but in code, although to CommonMark only one that starts a line is
 * a block.
 */
export function closersFor(text: string): string {
  const readings = [openBlocks(text, 'commonmark'), openBlocks(text, 'micromark')]
  const [closers, others] = readings.map(closersOf)
  return closers === others ? (closers as string) : closersOfAll(readings)
}

function closersOf({ open, commentOpen }: OpenBlocks): string {
  const block = open ? [' '.repeat(open.column) + open.closer] : []
  const comment = commentOpen && open?.closer !== '-->' ? ['-->'] : []
  // A comment that is open in `<pre>` may stand inside of it; one that is open in fenced code stands around it.
  return (open?.closer === '</pre>' ? [...comment, ...block] : [...block, ...comment]).join('\n')
}

/**
 * What closes the open blocks of any of several readings and does no harm in the others.
 *
 * The end of an HTML block is plain text to those who are in none. A fence is not: it would open code. So each is three:
 *
 *            ~~~~ open in the text    nothing open
 *     ~~~~~  closes it                opens code
 *     ~~~~   opens code               is a line of that
 *     ~~~~~  closes that              closes it
 */
function closersOfAll(readings: readonly OpenBlocks[]): string {
  const open = readings.flatMap((blocks) => blocks.open ?? [])
  const html = open.filter(({ kind }) => kind === 'html').map(({ closer }) => closer)
  const comment = readings.some(({ commentOpen }) => commentOpen) ? ['-->'] : []
  const fences = ['`', '~'].flatMap((marker) => {
    const lengths = open.map(({ closer }) => (closer.startsWith(marker) ? closer.length : 0))
    const fence = marker.repeat(Math.max(...lengths, 0))
    return fence === '' ? [] : [fence + marker, fence, fence + marker]
  })
  return [...new Set(html), ...fences, ...comment].join('\n')
}

/**
 * The ATX and setext headings of a text that are really headings: not what looks like one in fenced or indented code
 * or in an HTML block. Those in block quotes and list items are left out: they head no section of the text.
 */
export function headingsOf(text: string): readonly Heading[] {
  return scanBlocks(text)
    .headings.filter((heading) => !heading.nested)
    .map(({ level, content, start, end }) => ({ level, title: content.trim(), start, end }))
}

/**
 * The text with every heading moved `by` levels down, at most to level 6; those in block quotes and list items, too.
 * Setext headings become ATX headings where they must, below level 2.
 */
export function demoteHeadings(text: string, by: number): string {
  const { headings } = scanBlocks(text)
  let moved = ''
  let done = 0
  for (const heading of headings) {
    const level = Math.min(6, heading.level + by)
    if (!(level > heading.level)) continue
    const { from, to, text: replacement } = headingAt(heading, level)
    moved += text.slice(done, from) + replacement
    done = to
  }
  return moved + text.slice(done)
}

/** What to write, and over what, to give a heading another level. */
function headingAt(heading: HeadingBlock, level: number): { from: number; to: number; text: string } {
  const { start, end, prefix, underline, content } = heading
  const hashes = '#'.repeat(level)
  const at = start + prefix.length
  if (underline === undefined) return { from: at, to: at, text: '#'.repeat(level - heading.level) }
  if (level === 2) return { from: underline, to: end, text: '-'.repeat(end - underline) }
  // A text that ends like a closing sequence needs one, or it would lose its own.
  const closing = /(?:^|[ \t])#+$/.test(content) ? ` ${hashes}` : ''
  return { from: start, to: end, text: `${prefix}${hashes} ${content}${closing}` }
}
