import type { CutBoundary, CutStrategy, SectionDraft } from '../ports/layer.js'
import type { Run } from '../workspace/run.js'
import { gapOf } from '../workspace/views.js'

/** What a section says, before any cut, and how it may be cut. Sizes are UTF-16 units. */
export interface Content {
  readonly text: string
  /** Of the whole, which of a file read by its two ends is more than is in hand. */
  readonly total: number
  readonly approximate?: true | undefined
  readonly gap?: number | undefined
  readonly max: number
  /** What a share leaves to it. */
  readonly minimum: number
  /** What the total leaves to it before it is dropped. */
  readonly least: number
  readonly head: number
  readonly tail: number
  readonly strategy: CutStrategy
  readonly boundary: CutBoundary
  readonly stepped: boolean
}

/** In UTF-16 units, as of files. */
const defaultLeast = 400

/** `undefined` where there is nothing to cut: a missing, empty or unreadable file. */
export function contentOf({ text, file }: SectionDraft, { agent }: Run): Content | undefined {
  const { head, tail } = agent.budget
  if (text !== undefined && file === undefined) {
    if (text.trim() === '') return undefined
    // A text of the library's or the host's is as long as it has to be; only a share or the total may ask less of it.
    const { length } = text
    const how = { strategy: 'head-tail', boundary: 'line', stepped: false } as const
    return { text, total: length, max: length, minimum: length, least: defaultLeast, head, tail, ...how }
  }
  if (file === undefined) return undefined
  const least = file.limit.minimum
  if (text !== undefined) return { text, total: text.length, ...file.limit, least }
  if (file.state !== 'present') return undefined
  const { approximate } = file.document
  return { text: file.content, total: file.total, approximate, gap: gapOf(file), ...file.limit, least }
}
