import fs from 'node:fs'
import { codeOf } from './failures.js'
import { confirmInside, type Folder, inFolder } from './folder.js'
import { abandon } from './lock-holder.js'
import { atOnce, close, fchmod, fstat, mkdir, open, rmdir, unlink, type Work } from './operations.js'
import { tokenFile } from './own-names.js'
import { inSubfolder } from './subfolder.js'

const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | (fs.constants.O_NOFOLLOW ?? 0)

/** Makes a directory with a token in it. */
export function* prepare(folder: Folder, directory: string, token: string): Work<void> {
  yield* inFolder(folder, (place) => mkdir(`${place}/${directory}`))
  yield* inSubfolder(folder, directory, function* (inner) {
    yield* openToAll(folder, inner)
    const fd = yield* inFolder(inner, (place) => open(`${place}/${tokenFile(token)}`, flags, 0o600))
    try {
      // Through the descriptor it can be nowhere else.
      if (inner.confirmation === 'path') yield* confirmInside(inner, tokenFile(token), fd, yield* fstat(fd))
    } finally {
      yield* close(fd)
    }
  })
}

/**
 * Takes a token out of its directory, and the directory away if nothing is left in it: somebody may have put theirs in
 * its place. Never throws: what it follows matters more.
 */
export function* discard(folder: Folder, directory: string, token: string): Work<void> {
  const file = `${directory}/${tokenFile(token)}`
  const isGone = yield* insist(folder, (place) => unlink(`${place}/${file}`), ['ENOENT', 'ENOTDIR'])
  // By path, what is not there may have been looked for elsewhere.
  if (!isGone || folder.confirmation === 'path') abandon(token)
  yield* insist(folder, (place) => rmdir(`${place}/${directory}`), ['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'])
}

/**
 * As {@link discard}, of a directory that nobody else knows and that may have been made in a folder put in the place of
 * this one: it is looked for there, too.
 */
export function* discardPrivate(folder: Folder, directory: string, token: string): Work<void> {
  if (folder.confirmation === 'descriptor') return yield* discard(folder, directory, token)
  const own = `${folder.place}/${directory}`
  // At once: to come back for each look takes as long as many of them.
  yield* atOnce(
    (function* () {
      for (let look = 1; look <= 100; look++) {
        yield* tried(unlink(`${own}/${tokenFile(token)}`))
        yield* tried(rmdir(own))
      }
    })(),
  )
}

function* tried(act: Work<void>): Work<void> {
  try {
    yield* act
  } catch {
    // It is not there, or elsewhere for the moment.
  }
}

/** Returns whether it is done, or one of these codes says that it need not be. */
function* insist(folder: Folder, act: (place: string) => Work<void>, fine: readonly string[]): Work<boolean> {
  const isByPath = folder.confirmation === 'path'
  // By path, the folder may stand elsewhere for the moment.
  const looks = isByPath ? 100 : 3
  const insisting = function* (): Work<boolean> {
    for (let look = 1; look <= looks; look++) {
      try {
        yield* isByPath ? inFolder(folder, act) : act(folder.place)
        return true
      } catch (error) {
        if (fine.includes(codeOf(error) ?? '')) return true
      }
    }
    return false
  }
  return yield* isByPath ? atOnce(insisting()) : insisting()
}

/** To all who may change the folder: they must be able to break the lock of another user's dead process. */
function* openToAll(folder: Folder, inner: Folder): Work<void> {
  const mode = folder.stat.mode & 0o1777n
  if ((inner.stat.mode & 0o1777n) === mode) return
  try {
    yield* fchmod(inner.fd, Number(mode))
  } catch {
    // A disk without permissions.
  }
}
