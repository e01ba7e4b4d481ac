import { basename, dirname } from 'node:path'
import { replaced } from './change-failures.js'
import { type Change, compare } from './change-file.js'
import { inFolder, openFolder, syncFolder } from './folder.js'
import { close, lstat, unlink, type Work } from './operations.js'
import { inspect } from './target.js'

/** Takes the name away; of a link the link, and not what it leads to. A missing one is no error unless it is expected. */
export function* removeFile(change: Change, expected: string | null | undefined): Work<void> {
  yield* compare(change, expected)
  const folder = yield* openFolder(change.store, dirname(change.at), false)
  if (folder === undefined) return missing(expected)
  try {
    const name = basename(change.at)
    const found = yield* lstat(`${folder.place}/${name}`)
    const isThere = found?.isSymbolicLink() || (yield* inspect(change, folder, name)) !== undefined
    if (!isThere) return missing(expected)
    yield* inFolder(folder, (place) => unlink(`${place}/${name}`))
    yield* syncFolder(folder.fd)
  } finally {
    yield* close(folder.fd)
  }
}

function missing(expected: string | null | undefined): void {
  // It was there when it was compared.
  if (typeof expected === 'string') throw replaced()
}
