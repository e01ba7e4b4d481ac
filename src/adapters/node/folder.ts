import fs, { type BigIntStats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { refused, replaced } from './change-failures.js'
import { type Confirmation, confirm } from './confirm.js'
import { codeOf, isReplaced } from './failures.js'
import { openInside } from './open-inside.js'
import {
  atOnce,
  close,
  fstat,
  fsync,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  unblock,
  type Work,
} from './operations.js'
import type { Store } from './read-file.js'
import { type Allowed, folderAround } from './root.js'
import { sameFile } from './stat-key.js'

const swapped = 'its folder was swapped or moved out of the workspace meanwhile'

/** An open folder inside the root, or another that links may lead into, in which something is to be changed. */
export interface Folder {
  readonly fd: number
  readonly stat: BigIntStats
  /** The folders of which it lies in one. */
  readonly allowed: Allowed
  /** What leads to it: through the descriptor, which nobody can turn elsewhere, or its real path. */
  readonly place: string
  readonly confirmation: Confirmation
  /** Whether changes are to be on the disk before they count as done. */
  readonly durable: boolean
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
    const { fd, stat, allowed } = opened
    const { durable } = store
    const folder = {
      fd,
      stat,
      allowed,
      durable,
      ...(yield* placeOfFolder(path, fd, stat, allowed, store.confirmation)),
    }
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
  if (folderAround(folder.allowed, yield* readlink(folder.place)) === undefined) throw refused('outside-root', swapped)
  return yield* act(folder.place)
}

/** So often the folder may be found in change: other writers take their locks in it, and swap nothing. */
const UNSURE_LOOKS = 12

/** Throws unless the open file, found under this name, lies inside the root. */
export function* confirmInside(folder: Folder, name: string, fd: number, stat: BigIntStats): Work<void> {
  for (let look = 1; ; look++) {
    const verdict = yield* confirm(folder.allowed, `${folder.place}/${name}`, fd, stat, folder.confirmation)
    if (verdict === 'inside') return
    if (verdict === 'outside') throw refused('outside-root', swapped)
    if (verdict === 'elsewhere' || look === UNSURE_LOOKS) throw replaced()
    yield* unblock(look < 6 ? 0 : 1)
  }
}

/**
 * To be done when a file was put in its place: its name is made to outlast a power cut.
 *
 * @returns the stat of the file, which has changed with its name.
 */
export function* settle(folder: Folder, name: string, fd: number): Work<BigIntStats> {
  const stat = yield* fstat(fd)
  yield* reportEscape(folder, name, fd, stat)
  yield* syncFolder(folder)
  return stat
}

/** Throws if a file that was just changed lies outside the root, because its folder was swapped or moved meanwhile. */
export function* reportEscape(folder: Folder, name: string, fd: number, stat: BigIntStats): Work<void> {
  const verdict = yield* confirm(folder.allowed, `${folder.place}/${name}`, fd, stat, folder.confirmation)
  if (verdict === 'outside') throw refused('outside-root', swapped)
}

/** So that names which were given or taken away in it outlast a power cut, where the system can promise that. */
export function* syncFolder({ fd, durable }: Pick<Folder, 'fd' | 'durable'>): Work<void> {
  if (!durable) return
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
  allowed: Allowed,
  confirmation: Confirmation,
): Work<Pick<Folder, 'place' | 'confirmation'>> {
  if (confirmation === 'descriptor') {
    const place = `/proc/self/fd/${fd}`
    // Some systems have no /proc.
    if ((yield* lstat(place)) !== undefined) return { place, confirmation }
  }
  const place = yield* realpath(path)
  const found = yield* lstat(place)
  if (folderAround(allowed, place) === undefined || found === undefined || !sameFile(found, stat)) throw replaced()
  return { place, confirmation: 'path' }
}

function* confirmed<T>({ place, stat }: Folder, act: (place: string) => Work<T>): Work<T> {
  const found = yield* lstat(place)
  if (found === undefined || !sameFile(found, stat) || (yield* realpath(place)) !== place) throw replaced()
  return yield* act(place)
}

function* makeFolder(store: Store, path: string): Work<void> {
  if (path === store.root.given) return yield* makeRoot(path, store.durable)
  const parent = yield* openFolder(store, dirname(path), true)
  if (parent === undefined) throw replaced()
  try {
    yield* inFolder(parent, (place) => makeDirectory(`${place}/${basename(path)}`))
    yield* syncFolder(parent)
  } finally {
    yield* close(parent.fd)
  }
}

function* makeRoot(path: string, durable: boolean): Work<void> {
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
    yield* syncFolder({ fd: above, durable })
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
