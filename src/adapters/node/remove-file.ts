import { basename, dirname } from 'node:path'
import { replaced } from './change-failures.js'
import { type Change, compare } from './change-file.js'
import { underLock } from './change-lock.js'
import { type Folder, inFolder, openFolder, syncFolder } from './folder.js'
import type { Held } from './lock.js'
import { close, lstat, unlink, type Work } from './operations.js'
import { inspect } from './target.js'

/** Takes the name away; of a link the link, and not what it leads to. A missing one is no error unless it is expected. */
export function* removeFile(change: Change, expected: string | null | undefined): Work<void> {
  yield* compare(change, expected)
  const folder = yield* openFolder(change.store, dirname(change.at), false)
  if (folder === undefined) return missing(expected)
  try {
    const name = basename(change.at)
    // For what is not there no lock is needed, nor a folder that may be changed.
    if ((yield* lstat(`${folder.place}/${name}`)) === undefined) return missing(expected)
    yield* underLock(change, folder, name, (lock) => removeFrom(folder, name, change, lock, expected))
  } finally {
    yield* close(folder.fd)
  }
}

function* removeFrom(
  folder: Folder,
  name: string,
  change: Change,
  lock: Held,
  expected: string | null | undefined,
): Work<void> {
  // Waiting for the lock took its time.
  yield* compare(change, expected)
  const found = yield* lstat(`${folder.place}/${name}`)
  const isThere = found?.isSymbolicLink() || (yield* inspect(change, folder, name)) !== undefined
  if (!isThere) return missing(expected)
  yield* lock.confirm()
  yield* inFolder(folder, (place) => unlink(`${place}/${name}`))
  yield* syncFolder(folder)
}

function missing(expected: string | null | undefined): void {
  // It was there when it was compared.
  if (typeof expected === 'string') throw replaced()
}
