import { PromptError } from '../../errors.js'
import { namesIn } from './confirm.js'
import { outcomeOf, type Refusal, refusal } from './failures.js'
import { openInside } from './open-inside.js'
import { close, fstat, lstat, stat, unblock, type Work } from './operations.js'
import { isOwnName } from './own-names.js'
import { placeOf, type Store } from './read-file.js'
import { isSettled, keyOf, sameKey } from './stat-key.js'

const ATTEMPTS = 4
/** Bytes of the directory itself, some twenty for each name. */
const BLOCKING_BYTES = 2n ** 20n

/**
 * The names in one directory. An unchanged one costs a single stat.
 *
 * @param directory `''` and `'.'` are the root.
 * @param now ms since 1970, taken before.
 * @throws PromptError `outside-root` or `io`; a missing directory is `[]`.
 */
export function* listDirectory(store: Store, directory: string, now: number): Work<readonly string[]> {
  const known = store.directories.get(directory)
  const isRoot = directory === '' || directory === '.'
  const at = isRoot ? store.root.given : placeOf(store.root, directory)
  if (typeof at !== 'string') throw failure(directory, at)
  try {
    const found = yield* known?.isLink ? stat(at) : lstat(at)
    if (known?.settled && found !== undefined && sameKey(found, known.key)) return known.value
    const outcome = yield* listAfresh(store, directory, at, now)
    if (Array.isArray(outcome)) return outcome
    throw failure(directory, outcome as Refusal)
  } catch (error) {
    if (error instanceof PromptError) throw error
    const outcome = outcomeOf(error)
    if (outcome.state === 'missing') return []
    throw failure(directory, outcome)
  }
}

function* listAfresh(store: Store, directory: string, at: string, now: number): Work<readonly string[] | Refusal> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const opened = yield* openInside(store.root, at, 'directory', store.confirmation)
    if (opened.state === 'missing') return []
    if (opened.state === 'replaced') continue
    if (opened.state === 'refused') {
      if (opened.reason === 'outside-root' && attempt === 1 && store.root.forget()) continue
      return opened
    }
    try {
      if (opened.stat.size > BLOCKING_BYTES) yield* unblock()
      const all = yield* namesIn(opened.allowed, at, opened.fd, opened.stat, store.confirmation)
      const steady = sameKey(opened.stat, yield* fstat(opened.fd))
      if (all === undefined || (!steady && attempt < ATTEMPTS)) continue
      // What comes and goes with a write is no file of the workspace.
      const names = all.filter((name) => !isOwnName(name))
      const before = store.directories.get(directory)?.value
      const value = before !== undefined && sameNames(before, names) ? before : Object.freeze(names)
      const settled = steady && isSettled(opened.stat, now)
      store.directories.set(directory, { at, isLink: opened.isLink, key: keyOf(opened.stat), settled, value })
      return value
    } finally {
      yield* close(opened.fd)
    }
  }
  return refusal('io', 'it was replaced again and again while it was read')
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

function failure(directory: string, { reason, detail, cause }: Refusal): PromptError {
  const message = `The directory ${JSON.stringify(directory)} could not be listed: ${detail}.`
  const code = reason === 'outside-root' ? 'outside-root' : 'io'
  return new PromptError(code, message, { data: { path: directory }, ...(cause !== undefined && { cause }) })
}
