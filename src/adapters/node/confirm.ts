import type { BigIntStats } from 'node:fs'
import { sep } from 'node:path'
import { codeOf, isReplaced } from './failures.js'
import { lstat, readdir, readlink, realpath, type Work } from './operations.js'
import { type Allowed, folderAround } from './root.js'
import { sameFile, sameKey } from './stat-key.js'

/** How to learn where an open descriptor really is. `path`: by looking again where it was found. */
export type Confirmation = 'descriptor' | 'path'

/** `unsure`: folders on the way to it are being changed. `elsewhere`: under that name there is another by now. */
export type Verdict = 'inside' | 'outside' | 'unsure' | 'elsewhere'

/** Looks by path can be deceived by swaps that fall between them; each further look takes another such luck. */
const LOOKS = 3

/** Whether an open file or directory lies in an allowed folder, whatever became of the names that led to it. */
export function* confirm(
  allowed: Allowed,
  path: string,
  fd: number,
  stat: BigIntStats,
  confirmation: Confirmation,
): Work<Verdict> {
  if (confirmation === 'descriptor') {
    try {
      const real = yield* readlink(`/proc/self/fd/${fd}`)
      return folderAround(allowed, real) === undefined ? 'outside' : 'inside'
    } catch {
      // A system without /proc.
    }
  }
  try {
    for (let look = 0; look < LOOKS; look++) {
      const real = yield* realpath(path)
      const root = folderAround(allowed, real)
      if (root === undefined) return 'outside'
      const seen = yield* undisturbed(root, real, lstat)
      if (seen === undefined) return 'unsure'
      if (seen.result === undefined || !sameFile(seen.result, stat)) return 'elsewhere'
    }
    return 'inside'
  } catch (error) {
    if (isReplaced(error)) return 'elsewhere'
    throw error
  }
}

/**
 * Whether an open file or directory is the one at this real path, with no link on the way to it. Not so: folders on the
 * way are being changed, or it is known by another name.
 */
export function* isReallyAt(
  root: string,
  real: string,
  fd: number,
  stat: BigIntStats,
  confirmation: Confirmation,
): Work<boolean> {
  if (confirmation === 'descriptor') {
    try {
      return (yield* readlink(`/proc/self/fd/${fd}`)) === real
    } catch {
      // A system without /proc.
    }
  }
  for (let look = 0; look < LOOKS; look++) {
    const found = (yield* undisturbed(root, real, lstat))?.result
    if (found === undefined || !sameFile(found, stat)) return false
  }
  return true
}

/** The names in an open directory; `undefined`: folders on the way to it are being changed. */
export function* namesIn(
  allowed: Allowed,
  path: string,
  fd: number,
  stat: BigIntStats,
  confirmation: Confirmation,
): Work<string[] | undefined> {
  if (confirmation === 'descriptor') {
    try {
      return yield* readdir(`/proc/self/fd/${fd}`)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  const real = yield* realpath(path)
  const root = folderAround(allowed, real)
  if (root === undefined) return undefined
  const seen = yield* undisturbed(root, real, function* (place) {
    const found = yield* lstat(place)
    return found !== undefined && sameFile(found, stat) ? yield* readdir(place) : undefined
  })
  return seen?.result
}

/** Does something at a place below the root; `undefined` if a folder on the way to it was changed meanwhile. */
function* undisturbed<T>(
  root: string,
  place: string,
  act: (place: string) => Work<T>,
): Work<{ readonly result: T } | undefined> {
  const before = yield* foldersOf(root, place)
  const result = yield* act(place)
  const after = yield* foldersOf(root, place)
  const isSame = before.length === after.length && before.every((stat, index) => sameStat(stat, after[index]))
  return isSame ? { result } : undefined
}

/** What stands at each step from the root to the parent of `place`: a swap changes the times of the folder it is in. */
export function* foldersOf(root: string, place: string): Work<readonly (BigIntStats | undefined)[]> {
  const names = place.split(sep).slice(0, -1)
  const stats: (BigIntStats | undefined)[] = []
  for (let count = root.split(sep).filter(Boolean).length + 1; count <= names.length; count++) {
    stats.push(yield* lstat(names.slice(0, count).join(sep) || sep))
  }
  return stats
}

function sameStat(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a !== undefined && b !== undefined && a.isDirectory() && b.isDirectory() && sameKey(a, b)
}
