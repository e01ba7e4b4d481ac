import { PromptError } from '../../errors.js'
import { replaced } from './change-failures.js'
import { codeOf } from './failures.js'
import { type Folder, inFolder } from './folder.js'
import { discard, discardPrivate, prepare } from './lock-directory.js'
import { clear, type Holder } from './lock-holder.js'
import { lstat, rename, unblock, type Work } from './operations.js'
import { lockName, newToken, temporaryName, tokenFile } from './own-names.js'
import { noDirectory } from './subfolder.js'

/** A lock that is held. */
export interface Held {
  /**
   * To be called right before a change becomes visible: throws `replaced()` if the lock was broken, as that of a process
   * which cannot be looked at from another machine is.
   */
  confirm(): Work<void>
}

/** How long who waits must have seen a lock that may be anybody's before it breaks it, in ms. */
const WATCH_MS = 30_000
const LONGEST_PAUSE_MS = 25
/** So often a lock that was found free may be gone at once before that counts as waiting. */
const QUICK_ATTEMPTS = 8

/**
 * Does something while no other process that uses this library does anything under the same lock.
 *
 * The lock is a directory beside the file with one token in it, prepared aside and renamed into its place, which only
 * works while nothing or an empty directory stands there. Who finds the token of a process that is dead takes away that
 * very token, which only one can. A token of which nobody can tell is taken away after 30 s in which it did not change.
 * A process that is alive keeps its lock, however long it stands still. What else somebody puts into the directory is
 * removed when no token is in it: files and links, and directories if they are empty.
 *
 * It is not to be taken again within: that would wait for itself. Giving it back never throws; what could not be given
 * back is known in this process, which breaks it when it is next in the way.
 *
 * @param name Of the file; names that some disk takes for the same share a lock.
 * @param timeoutMs How long to wait for it, in ms; one attempt is made in any case.
 * @throws PromptError `locked`; what the system says of a change that it refuses
 */
export function withLock<T>(folder: Folder, name: string, timeoutMs: number, work: (lock: Held) => Work<T>): Work<T> {
  return withWatchedLock(folder, name, { timeoutMs, watchMs: WATCH_MS }, work)
}

/** @param limits `watchMs`: in place of the 30 s of {@link withLock}. */
export function* withWatchedLock<T>(
  folder: Folder,
  name: string,
  limits: { readonly timeoutMs: number; readonly watchMs: number },
  work: (lock: Held) => Work<T>,
): Work<T> {
  const lock = lockName(name)
  const token = yield* newToken()
  const aside = temporaryName(name, token)
  let isPrepared = false
  try {
    yield* prepare(folder, aside, token)
    isPrepared = true
    yield* take(folder, name, aside, limits)
  } catch (error) {
    yield* discardPrivate(folder, aside, token)
    // A network disk may report an error for a renaming that it did.
    if (isPrepared) yield* discard(folder, lock, token)
    throw error
  }
  try {
    return yield* work({
      *confirm() {
        const found = yield* lstat(`${folder.place}/${lock}/${tokenFile(token)}`)
        if (found === undefined) throw replaced()
      },
    })
  } finally {
    yield* discard(folder, lock, token)
  }
}

function* take(
  folder: Folder,
  name: string,
  aside: string,
  { timeoutMs, watchMs }: { readonly timeoutMs: number; readonly watchMs: number },
): Work<void> {
  const lock = lockName(name)
  const began = performance.now()
  for (let pause = 1, quick = 0; ; ) {
    const obstacle = yield* moveInto(folder, aside, lock)
    if (obstacle === undefined) return
    const holder = yield* clear(folder, lock, watchMs)
    if (holder !== undefined) quick = 0
    else if (quick++ < QUICK_ATTEMPTS) continue
    const waited = performance.now() - began
    if (waited >= timeoutMs) {
      // Windows says of a lock that is held what it says of a folder that may not be changed.
      if (holder === undefined && !isTaken(obstacle)) throw obstacle
      throw locked(name, holder, Math.round(waited))
    }
    // Those who wait for the same lock are not to come all at once.
    yield* unblock(Math.max(1, Math.min(pause * (0.5 + Math.random() / 2), timeoutMs - waited)))
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
  }
}

/** Returns what the system says of what stands there; `undefined`: it is done. */
function* moveInto(folder: Folder, aside: string, lock: string): Work<unknown> {
  try {
    yield* inFolder(folder, (place) => rename(`${place}/${aside}`, `${place}/${lock}`))
    return undefined
  } catch (error) {
    const mayBeTaken = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '')
    if (isTaken(error) || mayBeTaken) return error
    throw codeOf(error) === 'ENOTDIR' ? noDirectory(lock, error) : error
  }
}

function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')
}

function locked(name: string, holder: Holder | undefined, waited: number): PromptError {
  const pid = holder?.maker?.pid
  const elsewhere = holder?.state === 'unknown' ? ', of another machine or container,' : ''
  const who = pid === undefined ? 'others' : `process ${pid}${elsewhere}`
  const verb = pid === undefined ? 'have' : 'has'
  const message = `${JSON.stringify(name)} could not be locked: ${who} still ${verb} its lock after ${waited} ms.`
  return new PromptError('locked', message, { data: { name, ...(pid !== undefined && { pid }), waited } })
}
