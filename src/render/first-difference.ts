import type { Stability } from '../ports/layer.js'
import type { Section, SystemPrompt } from '../ports/prompt.js'
import {
  type ChangeReason,
  type Reason,
  reasonForAdded,
  reasonForChange,
  reasonForMoved,
  reasonForRemoved,
} from './change-reason.js'
import { keyed, type SectionChange } from './section-changes.js'

/** The first place where two prompts differ. */
export interface PromptDifference {
  /** The id of the section. */
  readonly section: string
  readonly layer: string
  /** The path of its file, if it is one. */
  readonly source?: string
  readonly stability: Stability
  /** UTF-16 units from the start of the text, the same in both; never inside a surrogate pair. */
  readonly offset: number
  /** UTF-16 units from the start of the section. */
  readonly offsetInSection: number
  readonly why: ChangeReason
  /** English, one sentence: the thing, what it is, what it was. */
  readonly message: string
}

interface Place {
  readonly key: string
  readonly section: Section
  readonly start: number
}

/** The section that a place in the text lies in. `undefined` at the end of the text. */
function placeOf({ sections }: SystemPrompt, offset: number): Place | undefined {
  let start = 0
  for (const [key, section] of keyed(sections)) {
    if (offset < start + section.text.length) return { key, section, start }
    start += section.text.length
  }
  return undefined
}

/** `undefined` where the texts end together. */
export function firstDifference(
  before: SystemPrompt,
  after: SystemPrompt,
  offset: number,
  changes: readonly SectionChange[],
): PromptDifference | undefined {
  const found = findDifference(before, after, offset, changes)
  if (found === undefined) return undefined
  const { place, reason } = found
  const { id, layer, source, stability } = place.section
  return {
    section: id,
    layer,
    ...(source !== undefined && { source }),
    stability,
    offset,
    offsetInSection: offset - place.start,
    ...reason,
  }
}

function findDifference(
  before: SystemPrompt,
  after: SystemPrompt,
  offset: number,
  changes: readonly SectionChange[],
): { readonly place: Place; readonly reason: Reason } | undefined {
  const [was, is] = [placeOf(before, offset), placeOf(after, offset)]
  const [wasAt, isAt] = [was?.start ?? Number.POSITIVE_INFINITY, is?.start ?? Number.POSITIVE_INFINITY]
  const sectionsBefore = new Map(keyed(before.sections))
  const sectionsAfter = new Map(keyed(after.sections))

  // Where two different sections start, one of them came, went or changed its place. Texts that have the same beginning,
  // as all files in tags have, may part only in the midst of them.
  if (was !== undefined && is !== undefined && wasAt === isAt && was.key !== is.key) {
    if (!sectionsAfter.has(was.key)) return { place: was, reason: reasonForRemoved(was.section, after) }
    if (!sectionsBefore.has(is.key)) return { place: is, reason: reasonForAdded(is.section, before) }
    const place = hasMoved(changes, is.section.id) ? is : was
    return { place, reason: reasonForMoved(place.section, before, after) }
  }
  // Otherwise a section changed. If its end looks like the beginning of the next, the longer one holds the difference.
  if (is !== undefined && isAt <= wasAt) {
    const earlier = sectionsBefore.get(is.key)
    if (earlier === undefined) return { place: is, reason: reasonForAdded(is.section, before) }
    const changed = { earlier, later: is.section, offset: offset - isAt }
    return { place: is, reason: reasonForChange(changed, before, after) }
  }
  if (was === undefined) return undefined
  const later = sectionsAfter.get(was.key)
  if (later === undefined) return { place: was, reason: reasonForRemoved(was.section, after) }
  const changed = { earlier: was.section, later, offset: offset - wasAt }
  return { place: was, reason: reasonForChange(changed, before, after) }
}

function hasMoved(changes: readonly SectionChange[], id: string): boolean {
  return changes.some(
    (change) => change.id === id && (change.kind === 'moved' || (change.kind === 'changed' && change.moved)),
  )
}
