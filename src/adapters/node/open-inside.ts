import fs, { type BigIntStats } from 'node:fs'
import { type Confirmation, confirm } from './confirm.js'
import { isReplaced, outcomeOf, type Refusal, refusal } from './failures.js'
import { close, fstat, lstat, open, realpath, type Work } from './operations.js'
import { isInside, type Root } from './root.js'
import { sameFile } from './stat-key.js'

export type Opened =
  | {
      readonly state: 'open'
      readonly fd: number
      readonly stat: BigIntStats
      readonly isLink: boolean
      /** The real path of the root it lies in. */
      readonly root: string
    }
  | { readonly state: 'missing' }
  /** It was replaced between two looks: worth another try. */
  | { readonly state: 'replaced' }
  | Refusal

// Windows has neither flag. Without O_NONBLOCK a FIFO that was put in place of the file would block for ever.
const baseFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0)

/**
 * Opens a file or directory that really lies inside the root. Every check before the opening can be made void by
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
  const inside = seen && (yield* root.resolve())
  if (seen === undefined || inside === undefined) return { state: 'missing' }
  let target = path
  const isLink = seen.isSymbolicLink()
  if (isLink) {
    target = yield* realpath(path)
    if (!isInside(inside, target)) return outside('a link leads out of the workspace')
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
    const verdict = yield* confirm(inside, path, fd, stat, confirmation)
    if (verdict === 'outside') return outside('it lies outside the workspace')
    if (verdict === 'unsure') return { state: 'replaced' }
    handedOn = true
    return { state: 'open', fd, stat, isLink, root: inside }
  } finally {
    if (!handedOn) yield* close(fd)
  }
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
