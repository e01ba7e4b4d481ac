import type { Section, Source, SourceState, SystemPrompt } from '../ports/prompt.js'
import { describe } from '../validation.js'

/**
 * - `added`: the section, or the content of its file, was not there
 * - `removed`: it is not there any more
 * - `moved`: it stands in another place
 * - `appended`: it goes on where it ended
 * - `edited`: its text, or its file, is another
 * - `reordered`: the same lines in another order, as of tools
 * - `recut`: its file has another size, and so the place where it is cut has moved
 * - `refitted`: the same file, of which another part is shown, as where there is more or less room for it
 * - `reframed`: the same file and the same part of it; what stands around that is another
 */
export type ChangeReason =
  | 'added'
  | 'removed'
  | 'moved'
  | 'appended'
  | 'edited'
  | 'reordered'
  | 'recut'
  | 'refitted'
  | 'reframed'

export interface Reason {
  readonly why: ChangeReason
  /** English, one sentence. */
  readonly message: string
}

/** One section as it was and as it is, and where in it the texts part. */
export interface ChangedSection {
  readonly earlier: Section
  readonly later: Section
  readonly offset: number
}

export function reasonForAdded({ id, source }: Section, before: SystemPrompt): Reason {
  if (source === undefined) return { why: 'added', message: `The section ${id} is new.` }
  const state = sourceIn(before, source)?.state
  const was = state === undefined ? 'was not asked for' : asItWas[state]
  return { why: 'added', message: `${source} is shown; it ${was}.` }
}

export function reasonForRemoved({ id, source }: Section, after: SystemPrompt): Reason {
  if (source === undefined) return { why: 'removed', message: `The section ${id} is gone.` }
  const state = sourceIn(after, source)?.state
  const is = state === undefined ? 'is not asked for' : asItIs[state]
  return { why: 'removed', message: `${source} is not shown any more; it ${is}.` }
}

export function reasonForMoved({ id }: Section, before: SystemPrompt, after: SystemPrompt): Reason {
  const place = ({ sections }: SystemPrompt) => sections.findIndex((section) => section.id === id) + 1
  return { why: 'moved', message: `${id} is section ${place(after)} of the prompt; it was section ${place(before)}.` }
}

export function reasonForChange(changed: ChangedSection, before: SystemPrompt, after: SystemPrompt): Reason {
  const path = changed.later.source
  const [was, is] = [sourceIn(before, path), sourceIn(after, path)]
  if (path === undefined || was === undefined || is === undefined) {
    const { why, message } = reasonForText(changed)
    const cause = changed.later.stability === 'workspace' ? comingOrGoing(before, after) : ''
    return { why, message: `${message}${cause}.` }
  }
  return reasonForState(path, was, is) ?? reasonForFile(path, was, is, changed)
}

const asItWas: Readonly<Record<SourceState, string>> = {
  included: 'was shown elsewhere',
  truncated: 'was shown elsewhere',
  empty: 'was empty',
  missing: 'was missing',
  unreadable: 'could not be read',
  filtered: 'was not for the session',
  dropped: 'was left out',
}

const asItIs: Readonly<Record<SourceState, string>> = {
  included: 'is shown elsewhere',
  truncated: 'is shown elsewhere',
  empty: 'is empty',
  missing: 'is missing',
  unreadable: 'cannot be read',
  filtered: 'is not for the session',
  dropped: 'is left out',
}

function sourceIn({ sources }: SystemPrompt, path: string | undefined): Source | undefined {
  return path === undefined ? undefined : sources.find((source) => source.path === path)
}

/** The layers whose lines are quoted: they say nothing of a person. */
const quoted: readonly string[] = ['tools', 'clock']

/** What is said of the workspace's files, such as their order of precedence, changes as they come and go. */
function comingOrGoing(before: SystemPrompt, after: SystemPrompt): string {
  const states = new Map(before.sources.map((source) => [source.path, source]))
  for (const source of after.sources) {
    const earlier = states.get(source.path)
    if (earlier === undefined || isShown(earlier) === isShown(source)) continue
    const [was, is] = isShown(source) ? [asItWas[earlier.state], 'is shown'] : ['was shown', asItIs[source.state]]
    return `; ${source.path} ${was} and ${is}`
  }
  return ''
}

/** A text that is no file is judged by its lines. No full stop yet. */
function reasonForText({ earlier, later, offset }: ChangedSection): Reason {
  const removed = linesBeyond(earlier.text, later.text)
  const added = linesBeyond(later.text, earlier.text)
  if (removed.length === 0 && added.length === 0) {
    return { why: 'reordered', message: `The lines of ${later.id} stand in another order` }
  }
  const count = (lines: readonly string[], word: string) => {
    if (lines.length === 0) return []
    const quote = quoted.includes(later.layer) ? ` (${describe(lines[0])})` : ''
    return [`${lines.length} ${lines.length === 1 ? 'line' : 'lines'} ${word}${quote}`]
  }
  const counts = [...count(added, 'more'), ...count(removed, 'less')].join(' and ')
  // The next line may begin as the text around the old end did, so what counts is that all of it is still there.
  const end = earlier.text.trimEnd().length
  const goesOn = removed.length === 0 && offset >= end && later.text[end] === '\n'
  return { why: goesOn ? 'appended' : 'edited', message: `The text of ${later.id} has ${counts}` }
}

/** The lines of one text that the other has not, or has less often. */
function linesBeyond(text: string, other: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return text.split('\n').filter((line) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0 && line !== ''
  })
}

const isShown = ({ state }: Source) => state === 'included' || state === 'truncated'

/** A section may stay where its file does not: a sentence about a missing file is a section, too. */
function reasonForState(path: string, before: Source, after: Source): Reason | undefined {
  if (isShown(before) === isShown(after)) {
    if (isShown(after) || before.state === after.state) return undefined
    return { why: 'edited', message: `${path} ${asItIs[after.state]}; it ${asItWas[before.state]}.` }
  }
  if (isShown(after)) return { why: 'added', message: `${path} is shown; it ${asItWas[before.state]}.` }
  return { why: 'removed', message: `${path} is not shown any more; it ${asItIs[after.state]}.` }
}

function reasonForFile(path: string, before: Source, after: Source, changed: ChangedSection): Reason {
  if (isSameFile(before, after, changed)) {
    if (isSameCut(before, after)) {
      const message = `${path} is the same file; its heading, its guidance or how the options show it is another.`
      return { why: 'reframed', message }
    }
    return { why: 'refitted', message: `${path} is the same file; ${shown(after)} are shown and not ${shown(before)}.` }
  }
  const sizes = `it has ${after.rawChars} chars and had ${before.rawChars}`
  if (goesOn(before, after, changed)) return { why: 'appended', message: `${path} was appended to: ${sizes}.` }
  const isCut = before.state === 'truncated' || after.state === 'truncated'
  if (isCut && before.rawChars !== after.rawChars && changed.offset >= endOfHead(before, after, changed)) {
    return { why: 'recut', message: `The cut of ${path} moved: ${sizes}.` }
  }
  return { why: 'edited', message: `${path} was edited: ${sizes}.` }
}

function shown({ keptChars, rawChars }: Source): string {
  return keptChars === rawChars ? `all ${rawChars} chars` : `${keptChars} of ${rawChars} chars`
}

function isSameCut(before: Source, after: Source): boolean {
  const isSameSize = before.keptChars === after.keptChars
  return isSameSize && before.kept?.head === after.kept?.head && before.kept?.tail === after.kept?.tail
}

/** By their versions; texts in hand have none, so what is seen of them has to do. */
function isSameFile(before: Source, after: Source, { earlier, later }: ChangedSection): boolean {
  if (before.version && after.version) return before.version === after.version
  if (before.rawChars !== after.rawChars) return false
  const content = contentIn(earlier)
  return !isSameCut(before, after) || (content !== undefined && content === contentIn(later))
}

const opening = /<file name="[^"]*">\n+/

/** What stands between the tags; no content can close them. `undefined` where the file stands bare. */
function contentIn({ text }: Section): string | undefined {
  const tag = opening.exec(text)
  const end = text.lastIndexOf('\n</file>')
  return tag === null || end < 0 ? undefined : text.slice(tag.index + tag[0].length, end)
}

function goesOn(before: Source, after: Source, { earlier, later, offset }: ChangedSection): boolean {
  if (after.rawChars <= before.rawChars || !later.text.endsWith(earlier.text.slice(offset))) return false
  const end = earlier.text.lastIndexOf('\n</file>')
  if (end >= 0) return offset >= end
  // Without a tag it is known only how much of the text is not content, not where that stands: most of it behind.
  return earlier.chars - offset <= earlier.chars - before.keptChars
}

/** Where in the section, at the earliest, the beginning that both prompts keep of the file ends. */
function endOfHead(before: Source, after: Source, { earlier }: ChangedSection): number {
  const tag = opening.exec(earlier.text)
  const start = tag === null ? 0 : tag.index + tag[0].length
  return start + Math.min(before.kept?.head ?? before.keptChars, after.kept?.head ?? after.keptChars)
}
