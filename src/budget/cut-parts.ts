import { type Heading, headingsOf } from '../markdown/structure.js'

/** A heading with the text to the next heading of any level, or the text before the first heading. */
export interface Part {
  readonly start: number
  /** Where the heading ends, its line ending not included; `start` where there is none. */
  readonly headingEnd: number
  readonly end: number
  /** 0 without a heading. */
  readonly level: number
  readonly title: string
  /** Whether there is nothing to read below the heading. */
  readonly blank: boolean
}

/** A text as parts that follow each other without a gap; `[]` where it has no heading. */
export function partsOf(text: string): readonly Part[] {
  const headings = headingsOf(text)
  const [first] = headings
  if (first === undefined) return []
  const below = headings.map((heading, index) => partOf(text, heading, headings[index + 1]?.start ?? text.length))
  if (first.start === 0) return below
  const above = { level: 0, title: '', start: 0, end: 0 }
  return [partOf(text, above, first.start), ...below]
}

function partOf(text: string, { level, title, start, end: headingEnd }: Heading, end: number): Part {
  return { level, title, start, headingEnd, end, blank: !/\S/.test(text.slice(headingEnd, end)) }
}
