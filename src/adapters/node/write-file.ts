import type { FileSnapshot } from '../../ports/file-system.js'
import { refused, replaced } from './change-failures.js'
import { type Change, compare } from './change-file.js'
import { underLock } from './change-lock.js'
import { readContent } from './content.js'
import { checkFormer, isAsKept, keepFormer } from './displaced.js'
import { type Folder, openFolder, settle } from './folder.js'
import type { Held } from './lock.js'
import { close, lstat, type Work } from './operations.js'
import { remember, snapshotOf } from './read-file.js'
import { inspect, type Target, targetOf } from './target.js'
import { create, discard, holding, replace, type TemporaryFile, withTemporaryFile } from './temporary-file.js'

/**
 * Replaces a file, or creates it and the folders on the way to it.
 *
 *   compare ─ open folder ─ lock ─ temporary file, on the disk ─ compare ─ rename, or link where it must not exist ─
 *   sync folder ─ give the lock back
 */
export function* writeFile(change: Change, bytes: Uint8Array, expected: string | null | undefined): Work<FileSnapshot> {
  // Before anything is made.
  yield* compare(change, expected)
  const target = yield* targetOf(change)
  const folder = yield* openFolder(change.store, target.folder, true)
  if (folder === undefined) throw replaced()
  try {
    return yield* underLock(change, folder, target.name, (lock) =>
      writeUnder(lock, change, folder, target, bytes, expected),
    )
  } finally {
    yield* close(folder.fd)
  }
}

function* writeUnder(
  lock: Held,
  change: Change,
  folder: Folder,
  target: Target,
  bytes: Uint8Array,
  expected: string | null | undefined,
): Work<FileSnapshot> {
  const before = yield* inspect(change, folder, target.name)
  return yield* withTemporaryFile(folder, target.name, before, holding(bytes), (file) =>
    putInPlace(lock, change, folder, target, file, expected),
  )
}

function* putInPlace(
  lock: Held,
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
  if (typeof expected === 'string') yield* replaceCompared(lock, change, folder, target.name, file, expected)
  else {
    // Waiting for the lock, and writing, took their time.
    yield* compare(change, expected)
    yield* lock.confirm()
    if (expected === null) yield* create(folder, file, target.name)
    else yield* replace(folder, file, target.name)
  }
  // From here on it is done.
  const stat = yield* settle(folder, target.name, file.fd)
  const { store, path, at } = change
  const snapshot = snapshotOf(store, path, content, stat, false)
  remember(store, path, { at, isLink: target.isLink, stat }, false, snapshot)
  return snapshot
}

/**
 * Replaces the file that was compared and no other: editors heed no lock. One that renamed a file into its place is seen
 * in the instant before ours takes it, one that saved into it right after.
 */
function* replaceCompared(
  lock: Held,
  change: Change,
  folder: Folder,
  name: string,
  file: TemporaryFile,
  expected: string,
): Work<void> {
  const seen = yield* lstat(`${folder.place}/${name}`)
  yield* compare(change, expected)
  if (seen === undefined) throw replaced()
  yield* lock.confirm()
  const former = yield* keepFormer(folder, name, seen)
  if (former === undefined) return yield* replace(folder, file, name)
  try {
    yield* replace(folder, file, name, (path) => isAsKept(path, former))
  } catch (error) {
    yield* discard(folder, former.name)
    throw error
  }
  yield* checkFormer(change, folder, name, former, file, expected)
}
