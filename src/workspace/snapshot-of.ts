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
  return Object.freeze({ documents: Object.freeze(documents), notes, data: {}, context: [], diagnostics: [] })
}
