import { reasonOf } from '../diagnostics.js'
import type { FileReading, FileSnapshot, MissingFile, UnreadableFile } from '../ports/file-system.js'
import { abortable } from './abortable.js'
import { withDeadline } from './deadline.js'
import { seenFiles } from './seen-files.js'

/** Reads of one store, with its last good texts in the place of what failed. */
export interface LastGood {
  /** @param ask Asks the store: one reading a path, in their order. */
  read(paths: readonly string[], ask: Ask, signal: AbortSignal | undefined): Promise<readonly FileReading[]>
  /** To be told of a change of one's own: what it left. */
  changed(path: string, left: FileSnapshot | MissingFile): void
}

type Ask = (options: { readonly signal: AbortSignal }) => Promise<readonly FileReading[]>

/**
 * In ms. The listing before a read may take half of a build's two seconds, so the read has one; and the exact counting
 * of lengths, which may take 800, is to end before.
 */
export const defaultWithin = 900

/** Late calls that may go on: a store that hangs for ever would gather them. */
const MOST_LATE = 8

interface Call {
  readonly answer: Promise<readonly FileReading[]>
  stop(reason?: unknown): void
}

/**
 * The last good texts of one store.
 *
 *   ask ─ in time? ─► learn, put last good texts in the place of what failed
 *           └ no: is there any text? ─► last good texts; the call goes on, and is learned from when it ends
 *                              └ no: wait on
 *
 * @param within In ms: a call that takes longer is late.
 * @param fixed The snapshot such that nobody can change it any more; `undefined`: it cannot be kept.
 */
export function lastGood(
  within: number,
  fixed: (snapshot: FileSnapshot) => FileSnapshot | undefined = (snapshot) => snapshot,
): LastGood {
  const seen = seenFiles(fixed)
  const late = new Set<Call>()
  let calls = 0

  function begin(ask: Ask): Call {
    const number = ++calls
    const controller = new AbortController()
    const askAndLearn = async () => {
      const readings = await ask(signalOf(controller))
      for (const reading of readings) seen.learn(reading, number)
      return readings
    }
    return { answer: askAndLearn(), stop: (reason) => controller.abort(reason) }
  }

  function letGoOn(call: Call): void {
    late.add(call)
    const forget = () => void late.delete(call)
    call.answer.then(forget, forget)
    for (const oldest of late) {
      if (late.size <= MOST_LATE) break
      late.delete(oldest)
      oldest.stop(new DOMException('Newer calls are late as well', 'AbortError'))
    }
  }

  const allFailed = (paths: readonly string[], why: Omit<UnreadableFile, 'state' | 'path'>) =>
    seen.mend(paths.map((path) => Object.freeze({ state: 'unreadable', path, ...why })))

  async function answerOf(call: Call, paths: readonly string[], signal: AbortSignal | undefined) {
    const outcome = await withDeadline(() => call.answer, within, signal)
    if (outcome.state === 'done') return seen.mend(outcome.value)
    // Where nothing stands in, what the store says, and how long it takes, is for the caller to judge.
    const hasText = paths.some(seen.hasText)
    if (outcome.state === 'failed') {
      if (!hasText) throw outcome.error
      const detail = `the store failed: ${reasonOf(outcome.error)}`
      return allFailed(paths, { reason: 'io', detail, cause: outcome.error })
    }
    if (!hasText) return seen.mend(await abortable(call.answer, signal))
    letGoOn(call)
    return allFailed(paths, { reason: 'too-slow', detail: `the store took longer than ${within} ms` })
  }

  return {
    async read(paths, ask, signal) {
      signal?.throwIfAborted()
      const call = begin(ask)
      try {
        return await answerOf(call, paths, signal)
      } catch (error) {
        call.stop(error)
        throw error
      }
    },
    changed: (path, left) => seen.learn({ ...left, path }, ++calls),
  }
}

/** The controller makes its signal when it is asked for, which a store that answers at once never does. */
function signalOf(controller: AbortController): { readonly signal: AbortSignal } {
  return {
    get signal() {
      return controller.signal
    },
  }
}
