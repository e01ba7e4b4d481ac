import type { BigIntStats } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { canMatter } from './asked-paths.js'
import { isInside } from './root.js'
import { keyOf, type StatKey, sameFile } from './stat-key.js'

const exact = { bigint: true } as const

/** Where a folder of the workspace really is, and which one it is. */
export interface Place {
  /** The real path of the workspace. */
  readonly root: string
  readonly real: string
  readonly stat: BigIntStats
}

/** `undefined`: it is not there, is no folder, may not be looked at, or a link leads out of the workspace. */
export async function locate(given: string, folder: string): Promise<Place | undefined> {
  try {
    const root = await realpath(given)
    const real = folder === '' ? root : await realpath(`${given}/${folder}`)
    if (!isInside(root, real)) return undefined
    const stat = await lstat(real, exact)
    return stat.isDirectory() ? { root, real, stat } : undefined
  } catch {
    return undefined
  }
}

export function samePlace(a: Place | undefined, b: Place | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.root === b.root && a.real === b.real && sameFile(a.stat, b.stat) && sameBirth(a.stat, b.stat)
}

/** Numbers of inodes are used again, often at once. Where no time of birth is known, that of the last change is given. */
function sameBirth(a: BigIntStats, b: BigIntStats): boolean {
  const isUnknown = a.birthtimeNs === a.ctimeNs && b.birthtimeNs === b.ctimeNs
  return isUnknown || a.birthtimeNs === b.birthtimeNs
}

export interface Found {
  readonly name: string
  readonly isLink: boolean
}

/** What in a folder can matter, of whatever kind. */
export async function filesIn({ real }: Place): Promise<readonly Found[]> {
  const entries = await readdir(real, { withFileTypes: true })
  return entries
    .filter(({ name }) => canMatter(name))
    .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() }))
}

/** The keys of files in a folder. Opens none of them: a FIFO would not be done with. */
export async function keysOf(place: Place, names: Iterable<string>): Promise<ReadonlyMap<string, StatKey>> {
  const keys = new Map<string, StatKey>()
  const look = async (name: string) => {
    const key = await keyAt(place.root, `${place.real}/${name}`).catch(() => undefined)
    if (key !== undefined) keys.set(name, key)
  }
  await Promise.all(Array.from(names, look))
  return keys
}

/** Of what a link leads to, or of the link itself where it leads nowhere or out of the workspace. */
async function keyAt(root: string, path: string): Promise<StatKey> {
  const found = await lstat(path, exact)
  if (!found.isSymbolicLink()) return keyOf(found)
  const target = await realpath(path).catch(() => undefined)
  if (target === undefined || !isInside(root, target)) return keyOf(found)
  return keyOf(await lstat(target, exact))
}
