import { once } from '../plain-data.js'
import type { LayerDocument } from '../ports/layer.js'
import { beginsEntry, codeTracker, fieldsAt, type NoteEntries, visibleEntries } from './note-entries.js'
import { fieldsIn, mayHoldMetadata, type NoteField, unknownIn } from './note-metadata.js'
import { gapOf } from './views.js'

/** What the main session may see of a note. */
export type NoteScope =
  /** All of it. */
  | { readonly state: 'whole' }
  /** What is left without entries that say that they are for others, and what those said. */
  | ({ readonly state: 'partly' } & NoteEntries)
  /** Nothing: by what the note says of itself, or as no entry is left. */
  | { readonly state: 'withheld'; readonly reason: string }

const scopes = new WeakMap<LayerDocument, NoteScope>()

/**
 * Whom a note is for, by the metadata in its front matter, on its first line and on the first lines of its entries.
 * Without any it is for the main session. What is not known is not shown: another scope, an unknown visibility, an
 * empty value.
 */
export function scopeOf(view: LayerDocument): NoteScope {
  return once(scopes, view, () => readScope(view))
}

function readScope(view: LayerDocument): NoteScope {
  const reason = unknownIn([...fieldsOf(view.document.metadata), ...leadingFields(view.content)])
  if (reason !== undefined) return { state: 'withheld', reason }
  const { text, withheld } = entriesOf(view)
  if (withheld.length === 0) return { state: 'whole' }
  return text.trim() === '' ? { state: 'withheld', reason: withheld.join(', ') } : { state: 'partly', text, withheld }
}

function entriesOf(view: LayerDocument): NoteEntries {
  const { content } = view
  const gap = gapOf(view)
  if (gap === undefined) return visibleEntries(content)
  const isMarked = mayHoldMetadata(content)
  if (!isMarked && nextEntry(content.slice(0, gap)) === undefined) return { text: content, withheld: [] }
  // Whom the entry is for that the last end begins in was said in what is not there: it starts with the next one. And
  // whether it begins in code nobody can tell.
  const end = content.slice(gap)
  const mayBeginInCode = isMarked && /^[ \t]*(?:```|~~~)/m.test(end)
  const start = mayBeginInCode ? end.length : (nextEntry(end) ?? end.length)
  const { text, withheld } = visibleEntries(end.slice(start))
  return { text, withheld: ['unknown, in what was not read', ...withheld] }
}

/** Where the first heading of a high level stands that is no code. */
function nextEntry(text: string): number | undefined {
  const inCode = codeTracker()
  // Of what may be a hundred thousand lines only those that can be a fence or a heading.
  for (const { index, 0: line } of text.matchAll(/^(?:[^\S\n]*(?:```|~~~)| {0,3}#{1,2}[ \t]).*/gm)) {
    if (!inCode(line) && /^ {0,3}#/.test(line)) return index
  }
  return undefined
}

function fieldsOf(metadata: Readonly<Record<string, unknown>> | undefined): readonly NoteField[] {
  return Object.entries(metadata ?? {})
    .map(([key, value]) => [key.toLowerCase(), wordOf(value)] as const)
    .filter(([key]) => key === 'scope' || key === 'visibility')
}

/** A list or a mapping is no value that is known. */
function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : `(${typeof value})`
}

/** Of the first lines of a front matter that could not be read as one, so many. */
const maxBlock = 40

/**
 * What the first line that is not blank says, or the block between rules that begins there. What a heading or a list
 * item says there is for itself alone.
 */
function leadingFields(content: string): readonly NoteField[] {
  const lines = content.slice(0, 8_000).trimStart().split('\n')
  const first = lines[0] ?? ''
  if (beginsEntry(first)) return []
  if (!/^---[ \t]*$/.test(first)) return fieldsAt(lines, 0)
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line))
  return end === -1
    ? fieldsIn(lines[1] ?? '')
    : lines.slice(1, Math.min(end, maxBlock)).flatMap((line) => fieldsIn(line))
}
