import type { BigIntStats } from 'node:fs'

/** What changes when a file changes, as far as one stat can tell. */
export type StatKey = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

/** Kept apart from the stat, which holds more than twice as much. */
export function keyOf({ dev, ino, size, mtimeNs, ctimeNs }: StatKey): StatKey {
  return { dev, ino, size, mtimeNs, ctimeNs }
}

export function sameKey(a: StatKey, b: StatKey): boolean {
  return a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}

export function sameFile(a: StatKey, b: StatKey): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

/**
 * Whether every later change must show in the key. Clocks of file systems are coarse: 4 ms is common, 2 s the worst
 * known, so two changes within one tick leave the same times. Only a file that was left alone for longer is settled.
 *
 * @param now ms since 1970, taken before the stat.
 */
export function isSettled({ mtimeNs, ctimeNs }: StatKey, now: number): boolean {
  const newest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs
  return BigInt(now) * 1_000_000n - newest >= 2_000_000_000n
}
