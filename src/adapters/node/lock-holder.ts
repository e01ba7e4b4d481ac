import { Interruption, refused } from './change-failures.js'
import { codeOf } from './failures.js'
import { type Folder, inFolder } from './folder.js'
import { readdir, rmdir, unlink, type Work } from './operations.js'
import { makerOf, tokenOfFile } from './own-names.js'
import { type ProcessIdentity, type ProcessState, stateOf } from './process-identity.js'
import { withSubfolder } from './subfolder.js'

/** Whose token is in a lock directory. */
export interface Holder {
  /** `undefined`: the token is none that this version of the library gives. */
  readonly maker: ProcessIdentity | undefined
  readonly state: ProcessState
}

const WATCHED = 1_000

/** The last tokens of this process that may not have been taken away when they should have been. */
const abandoned = new Set<string>()

/** When tokens were first seen, on a clock that never jumps. A token is never put back, so it stood there since. */
const firstSeen = new Map<string, number>()

/** Leaves a token to whoever in this process meets it next. */
export function abandon(token: string): void {
  abandoned.add(token)
  const [oldest] = abandoned
  if (abandoned.size > WATCHED && oldest !== undefined) abandoned.delete(oldest)
}

/**
 * Takes away what holds a lock no longer. Returns who does hold it; `undefined`: nobody did a moment ago.
 *
 * @param watchMs For how long a token must have been seen of which nobody can tell, in ms.
 */
export function* clear(folder: Folder, lock: string, watchMs: number): Work<Holder | undefined> {
  try {
    const holder = yield* withSubfolder(folder, lock, (inner) => clearInside(inner, lock, watchMs))
    // Windows renames nothing over a directory, be it empty.
    if (holder === undefined) yield* inFolder(folder, (place) => rmdir(`${place}/${lock}`))
    return holder
  } catch (error) {
    const isGone = error instanceof Interruption && error.outcome.state === 'replaced'
    if (isGone || ['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

function* clearInside(inner: Folder, lock: string, watchMs: number): Work<Holder | undefined> {
  const names = yield* inFolder(inner, readdir)
  const files = names.filter((name) => tokenOfFile(name) !== undefined)
  // By their end alone: a later version may give tokens that this one cannot read.
  if (files.length === 0) for (const name of names) yield* removeForeign(inner, lock, name)
  let holder: Holder | undefined
  for (const file of files) {
    const found = yield* holderBy(tokenOfFile(file) ?? '', watchMs)
    if (found.state === 'dead') yield* inFolder(inner, (place) => unlink(`${place}/${file}`))
    else holder ??= found
  }
  return holder
}

function* holderBy(token: string, watchMs: number): Work<Holder> {
  const maker = makerOf(token)
  if (abandoned.has(token)) return { maker, state: 'dead' }
  const state = maker === undefined ? 'unknown' : yield* stateOf(maker)
  return { maker, state: state === 'unknown' && seenFor(token) >= watchMs ? 'dead' : state }
}

/** In ms. */
function seenFor(token: string): number {
  const now = performance.now()
  const since = firstSeen.get(token) ?? now
  firstSeen.set(token, since)
  for (const oldest of firstSeen.keys()) {
    if (firstSeen.size <= WATCHED) break
    firstSeen.delete(oldest)
  }
  return now - since
}

/** What somebody, such as a system that shows folders, put there must not hold the lock for ever. */
function* removeForeign(inner: Folder, lock: string, name: string): Work<void> {
  try {
    yield* inFolder(inner, (place) => unlink(`${place}/${name}`))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    try {
      yield* inFolder(inner, (place) => rmdir(`${place}/${name}`))
    } catch {
      throw refused(
        'io',
        `its lock ${JSON.stringify(lock)} holds ${JSON.stringify(name)}, which is to be removed`,
        error,
      )
    }
  }
}
