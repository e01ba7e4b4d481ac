import { isSpaceOrTab, type LineCursor } from './line-cursor.js'

/**
 * By how many columns the list item that starts here moves its content in; its marker is consumed.
 * @param interrupts whether the line would go on with a paragraph, which an empty item or a list from 2 on cannot stop
 * @param plainOne whether `01.` does not count as 1
 */
export function listItemWidth(line: LineCursor, interrupts: boolean, plainOne: boolean): number | undefined {
  const marker = markerAt(line)
  const after = line.next + marker.length
  const empty = after >= line.trimmedEnd
  if (marker === '' || !(empty || isSpaceOrTab(line.text[after]))) return undefined
  if (interrupts && (empty || !(marker.length === 1 || isOne(marker, plainOne)))) return undefined
  const indent = line.indent
  line.skipMarker(marker.length)
  // Five columns or more are one column and indented code.
  const padding = empty || line.indent > 4 ? 1 : line.indent
  line.skipColumns(padding)
  return indent + marker.length + padding
}

function markerAt(line: LineCursor): string {
  return /^(?:[-*+]|\d{1,9}[.)])/.exec(line.text.slice(line.next, line.next + 10))?.[0] ?? ''
}

function isOne(marker: string, plain: boolean): boolean {
  return plain ? marker.length === 2 && marker[0] === '1' : Number.parseInt(marker, 10) === 1
}
