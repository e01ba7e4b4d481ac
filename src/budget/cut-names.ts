import { oneLine } from '../layers/one-line.js'
import { boundaryBefore } from './graphemes.js'

const maxNames = 8
const maxUnits = 40

/** The first of several titles, as a marker can name them, each once. Those of which nothing can be shown are passed over. */
export function namesOf(titles: Iterable<string>): readonly string[] {
  const names = new Set<string>()
  for (const title of titles) {
    const name = shortName(title)
    if (name !== '') names.add(name)
    if (names.size === maxNames) break
  }
  return [...names]
}

/** A title is the file's own words: in the marker it may open or close nothing, neither a quotation nor Markdown. */
function shortName(title: string): string {
  const line = oneLine(title.slice(0, 10 * maxUnits))
    .replace(/["“”]/g, "'")
    .replace(/[<>`[\]]/g, '')
    .trim()
  if (line.length <= maxUnits) return line
  const start = line.slice(0, boundaryBefore(line, maxUnits - 1)).trimEnd()
  return start === '' ? '' : `${start}…`
}
