import { freezeDeep } from '../plain-data.js'
import type { Document } from '../ports/document.js'
import type { WorkspaceSnapshot } from '../ports/prompt.js'
import { describe, refuse } from '../validation.js'
import { notesDirectory } from './daily-notes.js'
import { documentFromText } from './documents.js'
import { checkPath, normalizePath } from './paths.js'

/**
 * A snapshot from texts in hand, by path: for tests, and for hosts whose files are not files. Texts are cleaned as
 * loading does, but front matter is shown: load through `memoryFileSystem` to have it read and taken off. Throws
 * `invalid-options` for a path outside the workspace or a value that is no string.
 *
 * @example
 * composeSystemPrompt(snapshotOf({ 'SOUL.md': 'Dry humour.' }), agent).text
 */
export function snapshotOf(texts: Readonly<Record<string, string>>): WorkspaceSnapshot {
  if (typeof texts !== 'object' || texts === null) {
    refuse('snapshotOf', [{ path: '', message: `expected texts by path, got ${describe(texts)}` }])
  }
  const entries = Object.entries(texts)
  refuse(
    'snapshotOf',
    entries.flatMap(([path, text]) => {
      const why = checkPath(normalizePath(path))
      if (why !== undefined) return [{ path, message: `expected a path inside the workspace, this one ${why}` }]
      return typeof text === 'string' ? [] : [{ path, message: `expected a string, got ${describe(text)}` }]
    }),
  )
  const documents = entries.map(([path, text]) => documentFromText(normalizePath(path), text))
  const notes = documents
    .filter(({ path }) => path.startsWith(`${notesDirectory}/`))
    .map(({ path }) => path.slice(notesDirectory.length + 1))
  return freezeDeep({ documents, notes, data: {}, context: [], diagnostics: [] })
}

const states: readonly unknown[] = ['present', 'empty', 'missing', 'unreadable']

/** A snapshot is plain data that a host may have stored, sent or written by hand. Throws `invalid-options`. */
export function soundSnapshot(snapshot: WorkspaceSnapshot): WorkspaceSnapshot {
  const { documents, notes, session, data = {}, context = [], diagnostics = [] } = snapshot ?? {}
  const given = { documents, context, diagnostics, ...(notes !== undefined && { notes }) }
  const lists = Object.entries(given).filter(([, list]) => !Array.isArray(list))
  refuse(
    'snapshot',
    lists.map(([path, list]) => ({
      path,
      message: `expected an array, as loadWorkspace and snapshotOf give, got ${describe(list)}`,
    })),
  )
  refuse(
    'snapshot',
    documents.flatMap((document, index) =>
      isDocument(document)
        ? []
        : [{ path: `documents[${index}]`, message: `expected a document, got ${describe(document)}` }],
    ),
  )
  return { documents, notes, data, context, diagnostics, ...(session !== undefined && { session }) }
}

function isDocument(document: unknown): document is Document {
  if (typeof document !== 'object' || document === null) return false
  const { path, state, text, body, length, notes } = document as Document
  const isText = typeof path === 'string' && typeof text === 'string' && states.includes(state)
  return isText && Number.isInteger(body) && Number.isInteger(length) && Array.isArray(notes)
}
