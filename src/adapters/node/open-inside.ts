import fs, { type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { type Confirmation, confirm, foldersOf, isReallyAt } from './confirm.js'
import { isReplaced, outcomeOf, type Refusal, refusal } from './failures.js'
import { close, fstat, lstat, open, realpath, type Work } from './operations.js'
import { type Allowed, folderAround, type Root } from './root.js'
import { sameFile } from './stat-key.js'

export type Opened =
  | {
      readonly state: 'open'
      readonly fd: number
      readonly stat: BigIntStats
      readonly isLink: boolean
      /** The folders of which it lies in one. */
      readonly allowed: Allowed
    }
  | { readonly state: 'missing' }
  /** It was replaced between two looks: worth another try. */
  | { readonly state: 'replaced' }
  | Refusal

// Windows has neither flag. Without O_NONBLOCK a FIFO that was put in place of the file would block for ever.
const baseFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0)

/** Where links are not followed. */
export const linkRejected = refusal('outside-root', 'it is a link, and links are rejected')
const folderRejected = refusal('outside-root', 'a folder on the way to it is a link, and links are rejected')

/**
 * Opens a file or directory that really lies inside the root, or in another folder that links may lead into. Every check before the opening can be made void by
 * whoever swaps a directory for a link in the meantime, so what counts is decided on the descriptor.
 *
 *   lstat ─ link? ─► realpath inside? ─► open, not following ─► same file? ─► descriptor inside?
 */
export function* openInside(
  root: Root,
  path: string,
  kind: 'file' | 'directory',
  confirmation: Confirmation,
  first?: BigIntStats,
): Work<Opened> {
  let seen = first ?? (yield* lstat(path))
  const allowed = seen && (yield* root.resolve())
  if (seen === undefined || allowed === undefined) return { state: 'missing' }
  let target = path
  const isLink = seen.isSymbolicLink()
  if (!root.followsLinks) {
    const refused = yield* refusedLink(root.given, allowed, path, seen)
    if (refused !== undefined) return refused
  }
  if (isLink) {
    target = yield* realpath(path)
    if (folderAround(allowed, target) === undefined) return outside('a link leads out of the workspace')
    seen = yield* lstat(target)
    if (seen === undefined) return { state: 'replaced' }
  }
  if (!isKind(seen, kind)) return seen.isSymbolicLink() ? { state: 'replaced' } : wrongKind(seen)

  let fd: number
  try {
    fd = yield* open(target, kind === 'file' ? baseFlags : baseFlags | (fs.constants.O_DIRECTORY ?? 0))
  } catch (error) {
    return isReplaced(error) ? { state: 'replaced' } : outcomeOf(error)
  }
  let handedOn = false
  try {
    const stat = yield* fstat(fd)
    if (!isKind(stat, kind) || !sameFile(stat, seen)) return { state: 'replaced' }
    const verdict = yield* confirm(allowed, path, fd, stat, confirmation)
    if (verdict === 'outside') return outside('it lies outside the workspace')
    if (verdict !== 'inside') return { state: 'replaced' }
    if (!root.followsLinks) {
      const real = realPlaceOf(root.given, allowed, path)
      if (!(yield* isReallyAt(allowed[0], real, fd, stat, confirmation))) return { state: 'replaced' }
    }
    handedOn = true
    return { state: 'open', fd, stat, isLink, allowed }
  } finally {
    if (!handedOn) yield* close(fd)
  }
}

/** Links on the way that are seen before the opening. The root itself may be reached through any. */
function* refusedLink(given: string, allowed: Allowed, path: string, found: BigIntStats): Work<Refusal | undefined> {
  if (path === given) return undefined
  if (found.isSymbolicLink()) return linkRejected
  const folders = yield* foldersOf(allowed[0], realPlaceOf(given, allowed, path))
  return folders.some((folder) => folder?.isSymbolicLink()) ? folderRejected : undefined
}

/** Where a path below the root is, if no link leads to it. */
function realPlaceOf(given: string, [root]: Allowed, path: string): string {
  return join(root, path.slice(given.length))
}

function isKind(stat: BigIntStats, kind: 'file' | 'directory'): boolean {
  return kind === 'file' ? stat.isFile() : stat.isDirectory()
}

function outside(detail: string): Refusal {
  return refusal('outside-root', detail)
}

export function wrongKind(stat: BigIntStats): Refusal {
  if (stat.isDirectory()) return refusal('not-a-file', 'it is a directory')
  if (stat.isFIFO()) return refusal('not-a-file', 'it is a FIFO')
  if (stat.isSocket()) return refusal('not-a-file', 'it is a socket')
  return refusal('not-a-file', stat.isFile() ? 'it is a file' : 'it is a device')
}
