import { once } from '../plain-data.js'
import type { LayerDocument } from '../ports/layer.js'
import { type NoteEntries, visibleEntries } from './note-entries.js'
import { fieldsIn, metadataIn, type NoteField, unknownIn } from './note-metadata.js'
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
  const reason = unknownIn([...fieldsOf(view.document.metadata), ...fieldsIn(firstLine(view.content))])
  if (reason !== undefined) return { state: 'withheld', reason }
  const { text, withheld } = entriesOf(view)
  if (withheld.length === 0) return { state: 'whole' }
  return text.trim() === '' ? { state: 'withheld', reason: withheld.join(', ') } : { state: 'partly', text, withheld }
}

function entriesOf(view: LayerDocument): NoteEntries {
  const gap = gapOf(view)
  if (gap === undefined) return visibleEntries(view.content)
  const ends = [view.content.slice(0, gap), view.content.slice(gap)].map(visibleEntries)
  const withheld = ends.flatMap((end) => end.withheld)
  if (withheld.length === 0) return { text: view.content, withheld }
  // Whom the entry is for that the last end begins in was said in what is not there: it starts with the next one.
  const tail = ends[1]?.text ?? ''
  const next = /^ {0,3}#{1,6}[ \t]/m.exec(tail)?.index ?? tail.length
  return { text: tail.slice(next), withheld }
}

function fieldsOf(metadata: Readonly<Record<string, unknown>> | undefined): readonly NoteField[] {
  return Object.entries(metadata ?? {})
    .map(([key, value]) => [key.toLowerCase(), String(value).toLowerCase()] as const)
    .filter(([key]) => key === 'scope' || key === 'visibility')
}

/** The first line that is not blank; what a heading or a list item says there is for itself alone. */
function firstLine(content: string): string {
  const line = /\S.*/.exec(content.slice(0, 600))?.[0] ?? ''
  return /^(?:#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t])/.test(line) ? '' : metadataIn(line.replace(/^>[ \t]?/, ''))
}
