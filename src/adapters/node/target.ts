import fs, { type BigIntStats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { refused, replaced } from './change-failures.js'
import type { Change } from './change-file.js'
import { codeOf, isReplaced } from './failures.js'
import type { Folder } from './folder.js'
import { linkRejected, wrongKind } from './open-inside.js'
import { close, fstat, lstat, open, realpath, type Work } from './operations.js'
import { hardLinked } from './read-file.js'
import { folderAround } from './root.js'
import { sameFile } from './stat-key.js'

/** Where a change is to be made: a name in a folder. */
export interface Target {
  readonly folder: string
  readonly name: string
  /** It was found through a link. */
  readonly isLink: boolean
}

/** Of a link, what it leads to. */
export function* targetOf({ store, at }: Change): Work<Target> {
  const found = yield* lstat(at)
  if (!found?.isSymbolicLink()) return { folder: dirname(at), name: basename(at), isLink: false }
  if (!store.root.followsLinks) throw refused(linkRejected.reason, linkRejected.detail)
  const allowed = yield* store.root.resolve()
  if (allowed === undefined) throw replaced()
  const real = yield* realTarget(at)
  if (folderAround(allowed, real) === undefined) throw refused('outside-root', 'a link leads out of the workspace')
  // Their folders need not be inside any of them.
  if (allowed.includes(real)) throw refused('io', 'it is a directory')
  return { folder: dirname(real), name: basename(real), isLink: true }
}

/** An open file, to be closed by the caller. */
export interface Standing {
  readonly fd: number
  readonly stat: BigIntStats
}

/**
 * Opens the regular file that stands under a name, for writing: one that may not be written is not replaced either,
 * though the system would allow it. `undefined`: nothing stands there.
 *
 * @param access `O_WRONLY` or `O_RDWR`, with what else is needed.
 */
export function* openStanding(folder: Folder, name: string, access: number): Work<Standing | undefined> {
  const path = `${folder.place}/${name}`
  const found = yield* lstat(path)
  if (found === undefined) return undefined
  checkKind(found)
  const fd = yield* open(path, access | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0))
  let handedOn = false
  try {
    const stat = yield* fstat(fd)
    if (!sameFile(stat, found)) throw replaced()
    handedOn = true
    return { fd, stat }
  } finally {
    if (!handedOn) yield* close(fd)
  }
}

/** What stands under a name, if it may be written. */
export function* inspect({ store }: Change, folder: Folder, name: string): Work<BigIntStats | undefined> {
  const standing = yield* openStanding(folder, name, fs.constants.O_WRONLY)
  if (standing === undefined) return undefined
  yield* close(standing.fd)
  if (store.rejectHardLinks) checkHardLinks(standing.stat)
  return standing.stat
}

export function checkHardLinks(stat: BigIntStats): void {
  if (stat.nlink > 1n) throw refused(hardLinked.reason, hardLinked.detail)
}

function checkKind(stat: BigIntStats): void {
  if (stat.isSymbolicLink()) throw replaced()
  const wrong = wrongKind(stat)
  if (!stat.isFile()) throw refused(wrong.reason, wrong.detail)
}

function* realTarget(at: string): Work<string> {
  try {
    return yield* realpath(at)
  } catch (error) {
    if (!isReplaced(error)) throw error
    const detail = codeOf(error) === 'ELOOP' ? 'its links lead in a circle' : 'it is a link that leads nowhere'
    throw refused('io', detail, error)
  }
}
