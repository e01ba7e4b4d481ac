import type { FileSnapshot } from '../../ports/file-system.js'
import { refused, replaced } from './change-failures.js'
import { type Change, compare } from './change-file.js'
import { readContent } from './content.js'
import { type Folder, openFolder, settle } from './folder.js'
import { close, type Work } from './operations.js'
import { remember, snapshotOf } from './read-file.js'
import { inspect, type Target, targetOf } from './target.js'
import { create, holding, replace, type TemporaryFile, withTemporaryFile } from './temporary-file.js'

/**
 * Replaces a file, or creates it and the folders on the way to it.
 *
 *   compare ─ open folder ─ temporary file, on the disk ─ compare ─ rename, or link where it must not exist ─ sync folder
 */
export function* writeFile(change: Change, bytes: Uint8Array, expected: string | null | undefined): Work<FileSnapshot> {
  // Before anything is made.
  yield* compare(change, expected)
  const target = yield* targetOf(change)
  const folder = yield* openFolder(change.store, target.folder, true)
  if (folder === undefined) throw replaced()
  try {
    const before = yield* inspect(change, folder, target.name)
    return yield* withTemporaryFile(folder, target.name, before, holding(bytes), (file) =>
      putInPlace(change, folder, target, file, expected),
    )
  } finally {
    yield* close(folder.fd)
  }
}

function* putInPlace(
  change: Change,
  folder: Folder,
  target: Target,
  file: TemporaryFile,
  expected: string | null | undefined,
): Work<FileSnapshot> {
  // From the open file: under its name there may soon be another.
  const content = yield* readContent(file.fd, file.size)
  if (content.kind === 'binary') throw refused('binary', 'it would be read as no text')
  if (content.kind === 'failed') throw refused('io', content.detail)
  // Writing took its time.
  yield* compare(change, expected)
  if (expected === null) yield* create(folder, file, target.name)
  else yield* replace(folder, file, target.name)
  // From here on it is done.
  const stat = yield* settle(folder, target.name, file.fd)
  const { store, path, at } = change
  const snapshot = snapshotOf(store, path, content, stat, false)
  remember(store, path, { at, isLink: target.isLink, stat }, false, snapshot)
  return snapshot
}
