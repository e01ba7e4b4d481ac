import { recentValues } from '../../workspace/recent-values.js'
import type { StatKey } from './stat-key.js'

/** What is known of one path. */
export interface Known<T> {
  /** Absolute. */
  readonly at: string
  /** Found through a link: `key` is that of the file it leads to. */
  readonly isLink: boolean
  readonly key: StatKey
  /** An equal key means equal content. */
  readonly settled: boolean
  readonly value: T
}

export interface Cache<T> {
  get(path: string): Known<T> | undefined
  set(path: string, known: Known<T>): void
}

/** Holds `entries` paths and `units` UTF-16 units of text at most; what was set longest ago goes first. */
export function boundedCache<T>({
  entries,
  units,
  unitsOf,
}: {
  readonly entries: number
  readonly units: number
  readonly unitsOf: (value: T) => number
}): Cache<T> {
  return recentValues<Known<T>>({ entries, units, unitsOf: ({ value }) => unitsOf(value) })
}
