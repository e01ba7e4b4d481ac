import fs from 'node:fs'
import { conflict } from '../../workspace/conflict.js'
import { replaced } from './change-failures.js'
import type { Change } from './change-file.js'
import { readContent } from './content.js'
import { isReplaced } from './failures.js'
import { type Folder, inFolder, settle } from './folder.js'
import { atOnce, close, fstat, link, lstat, open, rename, type Work } from './operations.js'
import { displacedName, newToken, temporaryName } from './own-names.js'
import { type StatKey, sameFile, sameKey } from './stat-key.js'
import { discard, type TemporaryFile } from './temporary-file.js'

const flags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0)

/** The file that is to be replaced, under a second name by which it can be put back. */
export interface Former {
  readonly name: string
  readonly stat: StatKey
}

/**
 * Keeps the file that stands under a name within reach while it is replaced. `undefined`: the disk knows no hard links.
 *
 * @param seen As it was when it was compared. Throws `replaced()` if it is no longer.
 */
export function* keepFormer(folder: Folder, name: string, seen: StatKey): Work<Former | undefined> {
  const kept = temporaryName(name, yield* newToken())
  try {
    yield* inFolder(folder, (place) => link(`${place}/${name}`, `${place}/${kept}`))
  } catch (error) {
    if (isReplaced(error)) throw replaced()
    return undefined
  }
  try {
    const stat = yield* lstat(`${folder.place}/${kept}`)
    if (stat !== undefined && isUntouched(stat, seen)) return { name: kept, stat }
    throw replaced()
  } catch (error) {
    yield* discard(folder, kept)
    throw error
  }
}

/** But for the number of its names, which changes one of its times. */
function isUntouched(stat: StatKey, seen: StatKey): boolean {
  return sameFile(stat, seen) && stat.mtimeNs === seen.mtimeNs && stat.size === seen.size
}

/** Whether the file is as it was when it was kept; the look and what follows it are to be done at once. */
export function* isAsKept(path: string, { stat }: Former): Work<boolean> {
  const found = yield* lstat(path)
  return found !== undefined && sameKey(found, stat)
}

/**
 * To be asked when the file was replaced. An editor that heeds no lock may have saved into it since it was compared: its
 * text then goes back into its place, and the caller is told as if it had been there before.
 *
 * If something else stands there by now, the text is kept beside it, and the conflict says under which name.
 *
 * @throws PromptError `conflict`
 */
export function* checkFormer(
  change: Change,
  folder: Folder,
  name: string,
  former: Former,
  placed: TemporaryFile,
  expected: string,
): Work<void> {
  const current = yield* versionOf(folder, former, expected)
  if (current === expected) return yield* discard(folder, former.name)
  const own = yield* fstat(placed.fd)
  const isBack = yield* atOnce(putBack(folder, name, former, own))
  if (isBack) {
    yield* settleAt(folder, name)
    throw conflict(change.path, expected, current)
  }
  const displaced = displacedName(name, former.name)
  yield* inFolder(folder, (place) => rename(`${place}/${former.name}`, `${place}/${displaced}`))
  throw conflict(change.path, expected, current, undefined, displaced)
}

/** Of the text that it holds now. Where that cannot be read its times tell: the change is done, and is not to fail now. */
function* versionOf(folder: Folder, former: Former, expected: string): Work<string> {
  try {
    return yield* versionRead(folder, former, expected)
  } catch (error) {
    const now = yield* lstat(`${folder.place}/${former.name}`)
    if (now === undefined) throw error
    return versionByTimes(now, former, expected)
  }
}

/** The expected one if it is as it was; the number of its names changed one of its times once. */
function versionByTimes(now: StatKey, { stat }: Former, expected: string): string {
  return isUntouched(now, stat) ? expected : `${now.mtimeNs}-${now.size}`
}

function* versionRead(folder: Folder, former: Former, expected: string): Work<string> {
  const fd = yield* open(`${folder.place}/${former.name}`, flags)
  try {
    const now = yield* fstat(fd)
    const content = yield* readContent(fd, Number(now.size))
    if (content.kind === 'whole' || (content.kind === 'ends' && content.exact)) return content.digest
    return versionByTimes(now, former, expected)
  } finally {
    yield* close(fd)
  }
}

/** Returns whether what was placed still stood there. */
function* putBack(folder: Folder, name: string, former: Former, placed: StatKey): Work<boolean> {
  const found = yield* lstat(`${folder.place}/${name}`)
  if (found === undefined || !sameFile(found, placed)) return false
  yield* inFolder(folder, (place) => rename(`${place}/${former.name}`, `${place}/${name}`))
  return true
}

function* settleAt(folder: Folder, name: string): Work<void> {
  const fd = yield* open(`${folder.place}/${name}`, flags)
  try {
    yield* settle(folder, name, fd)
  } finally {
    yield* close(fd)
  }
}
