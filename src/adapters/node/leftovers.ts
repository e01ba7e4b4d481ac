import { type Folder, inFolder } from './folder.js'
import { fstat, lstat, readdir, rmdir, unlink, type Work } from './operations.js'
import { isLockName, makerOf, tokenOfFile, tokenOfTemporary } from './own-names.js'
import { stateOf } from './process-identity.js'
import { withSubfolder } from './subfolder.js'

const MOST = 1_000
const DAY_NS = 86_400_000_000_000n

/**
 * Removes what processes that were killed left in a folder: temporary files, the directories in which locks are
 * prepared, and locks that nobody holds. Of a process that cannot be looked at from here, only what is a day older than
 * the latest change in the folder: by the clock of the disk, and so never too soon.
 *
 * Never anything else: nothing of a process that is alive, of another user, behind a link, or in a directory that holds
 * anything foreign. At most 1,000 of such names a call. Never throws: what cannot be removed stays.
 */
export function* sweepLeftovers(folder: Folder): Work<void> {
  try {
    const names = (yield* inFolder(folder, readdir)).filter((name) => isLockName(name) || tokenOfTemporary(name))
    if (names.length === 0) return
    const { mtimeNs } = yield* fstat(folder.fd)
    for (const name of names.slice(0, MOST)) yield* sweepOne(folder, name, mtimeNs)
  } catch {
    // Nothing depends on it.
  }
}

function* sweepOne(folder: Folder, name: string, now: bigint): Work<void> {
  try {
    const token = tokenOfTemporary(name)
    const stat = yield* lstat(`${folder.place}/${name}`)
    if (stat === undefined || !isOwn(stat)) return
    if (token !== undefined && !(yield* isLeft(token, stat.mtimeNs, now))) return
    if (stat.isFile() && token !== undefined) return yield* inFolder(folder, (place) => unlink(`${place}/${name}`))
    if (!stat.isDirectory()) return
    const isEmpty = yield* withSubfolder(folder, name, (inner) => emptied(inner, token, now))
    if (isEmpty) yield* inFolder(folder, (place) => rmdir(`${place}/${name}`))
  } catch {
    // The others may be removed all the same.
  }
}

/** Takes the one token out of a directory. Returns whether nothing is left in it. */
function* emptied(inner: Folder, expected: string | undefined, now: bigint): Work<boolean> {
  const [file, ...others] = yield* inFolder(inner, readdir)
  if (file === undefined) return true
  const token = tokenOfFile(file)
  if (others.length > 0 || token === undefined || token !== (expected ?? token)) return false
  const stat = yield* lstat(`${inner.place}/${file}`)
  if (!stat?.isFile() || !isOwn(stat) || !(yield* isLeft(token, stat.mtimeNs, now))) return false
  yield* inFolder(inner, (place) => unlink(`${place}/${file}`))
  return true
}

function* isLeft(token: string, mtimeNs: bigint, now: bigint): Work<boolean> {
  const maker = makerOf(token)
  if (maker === undefined) return false
  const state = yield* stateOf(maker)
  return state === 'dead' || (state === 'unknown' && now - mtimeNs > DAY_NS)
}

function isOwn({ uid }: { readonly uid: bigint }): boolean {
  const own = process.geteuid?.()
  return own === undefined || uid === BigInt(own)
}
