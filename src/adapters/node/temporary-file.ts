import fs, { type BigIntStats } from 'node:fs'
import { refused, replaced } from './change-failures.js'
import { codeOf } from './failures.js'
import { confirmInside, type Folder, inFolder } from './folder.js'
import {
  atOnce,
  close,
  fchmod,
  fchown,
  fstat,
  fsync,
  link,
  lstat,
  open,
  rename,
  unblock,
  unlink,
  type Work,
  writeFully,
} from './operations.js'
import { newToken, temporaryName } from './own-names.js'
import { sameFile } from './stat-key.js'

const flags = fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | (fs.constants.O_NOFOLLOW ?? 0)

/** A file under a name of its own, complete and on the disk, that waits to be put in its place. */
export interface TemporaryFile {
  readonly fd: number
  readonly name: string
  readonly size: number
}

/**
 * Writes a temporary file beside the one that it is to become, and has it used. Unless it was put in its place it is
 * gone afterwards; only a process that is killed leaves one behind.
 *
 * @param name What it is to become.
 * @param before The file that it replaces, whose permissions and owner it takes over. A new file gets those that the
 * system gives to new files.
 * @param fill Writes the content and returns its size in bytes.
 */
export function* withTemporaryFile<T>(
  folder: Folder,
  name: string,
  before: BigIntStats | undefined,
  fill: (fd: number) => Work<number>,
  use: (file: TemporaryFile) => Work<T>,
): Work<T> {
  const own = temporaryName(name, yield* newToken())
  // Nobody else may read it before it has the permissions of the file that it replaces.
  const mode = before === undefined ? 0o666 : 0o600
  const fd = yield* inFolder(folder, (place) => open(`${place}/${own}`, flags, mode))
  try {
    yield* confirmInside(folder, own, fd, yield* fstat(fd))
    const size = yield* fill(fd)
    const stat = yield* fstat(fd)
    if (stat.size !== BigInt(size)) throw refused('io', `of its ${size} bytes the disk took ${stat.size}`)
    if (before !== undefined) yield* takeOver(fd, stat, before)
    if (folder.durable) yield* fsync(fd)
    return yield* use({ fd, name: own, size })
  } catch (error) {
    yield* discard(folder, own)
    throw error
  } finally {
    yield* close(fd)
  }
}

/** For {@link withTemporaryFile}: these bytes and nothing else. */
export function holding(bytes: Uint8Array): (fd: number) => Work<number> {
  return function* (fd) {
    yield* writeFully(fd, bytes)
    return bytes.length
  }
}

/**
 * Puts the file in its place: who looks sees the old one or the new one.
 *
 * @param isFree Asked of the place in the very instant before; else {@link replaced}. Default: whatever stands there.
 */
export function* replace(
  folder: Folder,
  { name }: TemporaryFile,
  target: string,
  isFree?: (path: string) => Work<boolean>,
): Work<void> {
  const move = (place: string) => rename(`${place}/${name}`, `${place}/${target}`)
  const moveIfFree = function* (place: string): Work<void> {
    if (isFree !== undefined && !(yield* isFree(`${place}/${target}`))) throw replaced()
    yield* move(place)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* inFolder(folder, (place) => (isFree === undefined ? move(place) : atOnce(moveIfFree(place))))
    } catch (error) {
      // There a file that somebody is reading this instant cannot be replaced.
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '')
      if (!isBusy || attempt === 10) throw error
      yield* unblock(10 * attempt)
    }
  }
}

/** Puts the file in its place if nothing stands there; else {@link replaced}. */
export function* create(folder: Folder, file: TemporaryFile, target: string): Work<void> {
  try {
    yield* inFolder(folder, (place) => link(`${place}/${file.name}`, `${place}/${target}`))
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'EEXIST') throw replaced()
    // What disks without hard links say; EISDIR is said on Windows.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR'].includes(code)) throw error
    return yield* createByReserving(folder, file, target)
  }
  yield* discard(folder, file.name)
}

/** Who looks in between sees an empty file, and never a part of the new one. */
function* createByReserving(folder: Folder, file: TemporaryFile, target: string): Work<void> {
  let reserved: BigIntStats
  try {
    const fd = yield* inFolder(folder, (place) => open(`${place}/${target}`, flags, 0o600))
    try {
      reserved = yield* fstat(fd)
      yield* confirmInside(folder, target, fd, reserved)
    } finally {
      yield* close(fd)
    }
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? replaced() : error
  }
  try {
    if (!(yield* inFolder(folder, (place) => isUntouched(`${place}/${target}`, reserved)))) throw replaced()
    yield* replace(folder, file, target)
  } catch (error) {
    yield* giveBack(folder, target, reserved)
    throw error
  }
}

/** Somebody may have found the empty file, and written into it or put another in its place. */
function* isUntouched(path: string, reserved: BigIntStats): Work<boolean> {
  const found = yield* lstat(path)
  return found !== undefined && sameFile(found, reserved) && found.size === 0n
}

/** Never throws, as {@link discard}. */
function* giveBack(folder: Folder, target: string, reserved: BigIntStats): Work<void> {
  try {
    yield* inFolder(folder, function* (place) {
      if (yield* isUntouched(`${place}/${target}`, reserved)) yield* unlink(`${place}/${target}`)
    })
  } catch {
    // What it follows matters more.
  }
}

/** Never throws: what it follows matters more. */
export function* discard(folder: Folder, name: string): Work<void> {
  // By path, the folder in which the file was created may stand elsewhere for the moment.
  const looks = folder.confirmation === 'path' ? 100 : 3
  for (let look = 1; look <= looks; look++) {
    try {
      return yield* unlink(`${folder.place}/${name}`)
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && folder.confirmation === 'descriptor') return
    }
  }
}

/**
 * A file that is replaced by another user gets that user as its owner where the system allows no more; then the rights
 * of its group go, unless the group could be kept: they may have been meant for somebody else.
 */
function* takeOver(fd: number, own: BigIntStats, before: BigIntStats): Work<void> {
  let mode = Number(before.mode & 0o777n)
  if (own.uid !== before.uid || own.gid !== before.gid) {
    const isOwned = yield* mayChown(fd, before.uid, before.gid)
    if (!isOwned && own.gid !== before.gid && !(yield* mayChown(fd, own.uid, before.gid))) mode &= 0o707
  }
  if (Number(own.mode & 0o777n) !== mode) yield* fchmod(fd, mode)
}

function* mayChown(fd: number, uid: bigint, gid: bigint): Work<boolean> {
  try {
    yield* fchown(fd, Number(uid), Number(gid))
    return true
  } catch (error) {
    if (['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}
