import type { FileReading } from '../../ports/file-system.js'
import type { AskedPaths } from './asked-paths.js'
import type { Cache } from './cache.js'
import { isSettled, type StatKey, sameKey } from './stat-key.js'

/** The files of a folder as they were, by name; `undefined`: not there, or not to be read. */
export type Before = ReadonlyMap<string, StatKey | undefined>

/** What reading has shown of a folder. It costs no call, so it can be had in the moment in which watching begins. */
export function knownOf(asked: AskedPaths, files: Cache<FileReading>, folder: string): Before {
  const keyOf = (name: string) => files.get(folder === '' ? name : `${folder}/${name}`)?.key
  return new Map(asked.namesIn(folder).map((name) => [name, keyOf(name)]))
}

/**
 * The names of files that may have changed between two looks.
 *
 * @param since ms since 1970: what `before` does not know was there unless its times say that it changed since then.
 * Default: what it does not know is new.
 */
export function changedNames(before: Before, after: ReadonlyMap<string, StatKey>, since?: number): readonly string[] {
  const names: string[] = []
  for (const [name, key] of before) if (key !== undefined && !after.has(name)) names.push(name)
  for (const [name, key] of after) {
    const known = before.get(name)
    const isOld = before.has(name)
      ? known !== undefined && sameKey(known, key)
      : since !== undefined && isSettled(key, since)
    if (!isOld) names.push(name)
  }
  return names
}
