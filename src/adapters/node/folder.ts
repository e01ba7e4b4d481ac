import fs, { type BigIntStats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { refused, replaced } from './change-failures.js'
import { type Confirmation, confirm } from './confirm.js'
import { codeOf, isReplaced } from './failures.js'
import { openInside } from './open-inside.js'
import { atOnce, close, fstat, fsync, lstat, mkdir, open, readlink, realpath, type Work } from './operations.js'
import type { Store } from './read-file.js'
import { isInside } from './root.js'
import { sameFile } from './stat-key.js'

const swapped = 'its folder was swapped or moved out of the workspace meanwhile'

/** An open folder inside the root, in which something is to be changed. */
export interface Folder {
  readonly fd: number
  readonly stat: BigIntStats
  /** The real path of the root it lies in. */
  readonly root: string
  /** What leads to it: through the descriptor, which nobody can turn elsewhere, or its real path. */
  readonly place: string
  readonly confirmation: Confirmation
}

/**
 * Opens a folder; `undefined`: there is none. To be closed by the caller.
 *
 * @param create Makes it, and those above it down from the root, where they are missing; the root itself only in a
 * folder that is there.
 */
export function* openFolder(store: Store, path: string, create: boolean): Work<Folder | undefined> {
  let opened = yield* openOrMissing(store, path)
  if (opened.state === 'missing' && create) {
    yield* makeFolder(store, path)
    opened = yield* openOrMissing(store, path)
    if (opened.state === 'missing') throw replaced()
  }
  if (opened.state === 'missing') return undefined
  if (opened.state === 'replaced') throw replaced()
  if (opened.state === 'refused') {
    throw refused(opened.reason, `of the folder ${JSON.stringify(basename(path))}: ${opened.detail}`, opened.cause)
  }
  let handedOn = false
  try {
    const { fd, stat, root } = opened
    const folder = { fd, stat, root, ...(yield* placeOfFolder(path, fd, stat, root, store.confirmation)) }
    handedOn = true
    return folder
  } finally {
    if (!handedOn) yield* close(opened.fd)
  }
}

/**
 * Does something in the folder, at the place it is given. Reached through the descriptor, that is the folder that was
 * opened. Reached by path it is looked at in the same instant, and what was created must be confirmed afterwards.
 */
export function* inFolder<T>(folder: Folder, act: (place: string) => Work<T>): Work<T> {
  if (folder.confirmation === 'path') return yield* atOnce(confirmed(folder, act))
  if (!isInside(folder.root, yield* readlink(folder.place))) throw refused('outside-root', swapped)
  return yield* act(folder.place)
}

/** Throws unless the open file, found under this name, lies inside the root. */
export function* confirmInside(folder: Folder, name: string, fd: number, stat: BigIntStats): Work<void> {
  const verdict = yield* confirm(folder.root, `${folder.place}/${name}`, fd, stat, folder.confirmation)
  if (verdict === 'outside') throw refused('outside-root', swapped)
  if (verdict === 'unsure') throw replaced()
}

/**
 * To be done when a file was put in its place: its name is made to outlast a power cut.
 *
 * @returns the stat of the file, which has changed with its name.
 */
export function* settle(folder: Folder, name: string, fd: number): Work<BigIntStats> {
  const stat = yield* fstat(fd)
  yield* reportEscape(folder, name, fd, stat)
  yield* syncFolder(folder.fd)
  return stat
}

/** Throws if a file that was just changed lies outside the root, because its folder was swapped or moved meanwhile. */
export function* reportEscape(folder: Folder, name: string, fd: number, stat: BigIntStats): Work<void> {
  const verdict = yield* confirm(folder.root, `${folder.place}/${name}`, fd, stat, folder.confirmation)
  if (verdict === 'outside') throw refused('outside-root', swapped)
}

/** So that names which were given or taken away in it outlast a power cut, where the system can promise that. */
export function* syncFolder(fd: number): Work<void> {
  try {
    yield* fsync(fd)
  } catch (error) {
    // Windows, and some network disks.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS', 'EISDIR', 'EPERM', 'EBADF'].includes(codeOf(error) ?? '')) throw error
  }
}

function* openOrMissing(store: Store, path: string) {
  try {
    return yield* openInside(store.root, path, 'directory', store.confirmation)
  } catch (error) {
    const found = isReplaced(error) ? yield* lstat(path) : undefined
    if (!found?.isSymbolicLink()) throw error
    throw refused('io', `the folder ${JSON.stringify(basename(path))} is a link that leads nowhere`, error)
  }
}

function* placeOfFolder(
  path: string,
  fd: number,
  stat: BigIntStats,
  root: string,
  confirmation: Confirmation,
): Work<Pick<Folder, 'place' | 'confirmation'>> {
  if (confirmation === 'descriptor') {
    const place = `/proc/self/fd/${fd}`
    // Some systems have no /proc.
    if ((yield* lstat(place)) !== undefined) return { place, confirmation }
  }
  const place = yield* realpath(path)
  const found = yield* lstat(place)
  if (!isInside(root, place) || found === undefined || !sameFile(found, stat)) throw replaced()
  return { place, confirmation: 'path' }
}

function* confirmed<T>({ place, stat }: Folder, act: (place: string) => Work<T>): Work<T> {
  const found = yield* lstat(place)
  if (found === undefined || !sameFile(found, stat) || (yield* realpath(place)) !== place) throw replaced()
  return yield* act(place)
}

function* makeFolder(store: Store, path: string): Work<void> {
  if (path === store.root.given) return yield* makeRoot(path)
  const parent = yield* openFolder(store, dirname(path), true)
  if (parent === undefined) throw replaced()
  try {
    yield* inFolder(parent, (place) => makeDirectory(`${place}/${basename(path)}`))
    yield* syncFolder(parent.fd)
  } finally {
    yield* close(parent.fd)
  }
}

function* makeRoot(path: string): Work<void> {
  try {
    yield* makeDirectory(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw refused('io', `the folder in which the root ${JSON.stringify(path)} is to be created is not there`, error)
  }
  let above: number
  try {
    above = yield* open(dirname(path), fs.constants.O_RDONLY)
  } catch (error) {
    // A folder that may be entered and not read.
    if (codeOf(error) === 'EACCES') return
    throw error
  }
  try {
    yield* syncFolder(above)
  } finally {
    yield* close(above)
  }
}

function* makeDirectory(path: string): Work<void> {
  try {
    yield* mkdir(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
