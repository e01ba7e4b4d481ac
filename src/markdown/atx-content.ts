import { isSpaceOrTab, trimEnd } from './line-cursor.js'

/** The content of an ATX heading, from what stands behind its opening `#`s: without the closing ones. */
export function atxContent(content: string): string {
  const start = content.length - content.replace(/^[ \t]+/, '').length
  let end = trimEnd(content, start, content.length)
  let hashes = end
  while (hashes > start && content[hashes - 1] === '#') hashes -= 1
  if (hashes === start || isSpaceOrTab(content[hashes - 1])) end = trimEnd(content, start, hashes)
  return content.slice(start, end)
}
