import type { Texts } from '../ports/texts.js'
import { fill } from '../texts/index.js'
import type { Kept, LeftOut } from './cut.js'

export interface MarkerFacts {
  /** UTF-16 units of the file. */
  readonly total: number
  readonly approximate?: boolean
  readonly file?: string
  readonly tool?: string
  /** `true`: the marker says nothing that changes while a file grows and its cut does not move. Default `false`. */
  readonly stepped?: boolean
}

/**
 * The two lines that stand for what was cut; of a stepped cut by sections, only the first. They name the read tool only
 * where one reaches the file, and the sections that are left out as far as they are given.
 */
export function truncationMarker(texts: Texts, facts: MarkerFacts): (kept: Kept, leftOut?: LeftOut) => string {
  const sizes = facts.stepped ? steppedSizes : exactSizes
  return (kept, leftOut) => {
    const first = firstLine(texts, facts, leftOut)
    return facts.stepped && leftOut !== undefined ? first : `${first}\n${sizes(texts, facts, kept)}`
  }
}

function firstLine(texts: Texts, { file, tool }: MarkerFacts, leftOut: LeftOut | undefined): string {
  const readable = tool !== undefined && file !== undefined
  if (leftOut === undefined || leftOut.names.length === 0) {
    return readable ? fill(texts.truncatedWithTool, { tool, file }) : texts.truncated
  }
  const names = nameList(texts, leftOut)
  return readable ? fill(texts.sectionsLeftOutWithTool, { names, tool, file }) : fill(texts.sectionsLeftOut, { names })
}

function nameList(texts: Texts, { names, count }: LeftOut): string {
  const list = names.map((title) => fill(texts.sectionName, { title })).join(texts.sectionSeparator)
  const more = count - names.length
  return more === 0 ? list : fill(texts.sectionsMore, { names: list, count: `${more}` })
}

function exactSizes(texts: Texts, { total, approximate }: MarkerFacts, { head, tail }: Kept): string {
  const shownTotal = approximate ? fill(texts.approximately, { total: `${total}` }) : `${total}`
  return fill(texts.truncatedSizes, { head: `${head}`, tail: `${tail}`, total: shownTotal })
}

function steppedSizes(texts: Texts, _facts: MarkerFacts, { head, tail }: Kept): string {
  if (head === 0) return texts.truncatedSteppedTail
  return fill(tail === 0 ? texts.truncatedSteppedHead : texts.truncatedStepped, { head: `${head}` })
}
