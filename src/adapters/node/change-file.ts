import type { BigIntStats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PromptError } from '../../errors.js'
import { conflict } from '../../workspace/conflict.js'
import { normalizePath } from '../../workspace/paths.js'
import { changeError, outcomeOfChange, type Verb } from './change-failures.js'
import { changeQueue } from './change-queue.js'
import { run } from './drivers.js'
import { refusal } from './failures.js'
import { realpath, stat, type Work } from './operations.js'
import { placeOf, readCall, readFile, type Store } from './read-file.js'

/** A change that is to be made to one file. */
export interface Change {
  readonly store: Store
  readonly path: string
  /** Where that is, absolute, links and all. */
  readonly at: string
  readonly verb: Verb
}

const ATTEMPTS = 8

/** Of all workspaces of the process: two may be over one folder. */
const byName = changeQueue()
const byFile = changeQueue()

/**
 * The one way to every change of a file. Changes of a file are made one after another, those through one name in the
 * order in which they were asked for; each is tried again while somebody replaces what it is made to.
 *
 * @param work One attempt. What it throws as worth another one leaves the file as it was, unless its folder was moved
 * out of the root in the instant of the change.
 * @throws PromptError `conflict`, `outside-root` or `io`
 */
export async function changeFile<T>(
  store: Store,
  asked: string,
  verb: Verb,
  work: (change: Change) => Work<T>,
): Promise<T> {
  const path = normalizePath(asked)
  const at = placeOf(store.root, path)
  if (typeof at !== 'string') throw changeError(asked, verb, at)
  const change: Change = { store, path, at, verb }
  // Where a name leads takes time to find out, in which a later change must not overtake this one.
  return byName.inTurn(at, () => inTurnOfFile(at, () => run(attempts(change, work), undefined)))
}

/** Throws unless the file is at this version; `null`: is not there; `undefined`: whatever it is. */
export function* compare({ store, path, verb }: Change, expected: string | null | undefined): Work<void> {
  if (expected === undefined) return
  const reading = yield* readFile(store, path, readCall())
  if (reading.state === 'unreadable') {
    const detail = `its version is not known, for ${reading.detail ?? 'it is unreadable'}`
    throw changeError(path, verb, { reason: reading.reason, detail, cause: reading.cause })
  }
  const current = reading.state === 'present' ? reading.version : null
  if (current !== expected) throw conflict(path, expected, current)
}

/** By the real path, for a file may have several names through links; these may change while it waits for its turn. */
async function inTurnOfFile<T>(at: string, task: () => Promise<T>): Promise<T> {
  for (;;) {
    const real = await run(realPlaceOf(at), undefined)
    const turn = await byFile.inTurn(real, async () => {
      if ((await run(realPlaceOf(at), undefined)) !== real) return undefined
      return { result: await task() }
    })
    if (turn !== undefined) return turn.result
  }
}

/** As far down as there is anything; the rest of the names stays as it is. */
function* realPlaceOf(at: string): Work<string> {
  try {
    return yield* realpath(at)
  } catch {
    const above = dirname(at)
    return above === at ? at : join(yield* realPlaceOf(above), basename(at))
  }
}

function* attempts<T>(change: Change, work: (change: Change) => Work<T>): Work<T> {
  let last: unknown
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return yield* work(change)
    } catch (error) {
      if (error instanceof PromptError) throw error
      const outcome = outcomeOfChange(error)
      // A folder above the root may have been renamed: then the root is the same, and elsewhere.
      const mayHaveMoved = outcome.state === 'refused' && outcome.reason === 'outside-root' && attempt === 1
      if (outcome.state === 'refused' && !(mayHaveMoved && change.store.root.forget())) {
        throw changeError(change.path, change.verb, outcome)
      }
      last = error
    }
  }
  const { path, verb } = change
  const file = yield* fileOnTheWay(change)
  const detail = file === undefined ? 'what stands in its place was replaced again and again' : `${file} is a file`
  throw changeError(path, verb, refusal('io', detail, last))
}

/** For a message alone: what cannot be looked at is not spoken of. */
function* statOrNothing(path: string): Work<BigIntStats | undefined> {
  try {
    return yield* stat(path)
  } catch {
    return undefined
  }
}

/** A name above the change that should be a folder and is a file: what lies below it looks like something that went. */
function* fileOnTheWay({ store, path }: Change): Work<string | undefined> {
  const parts = path.split('/')
  for (let count = 1; count < parts.length; count++) {
    const above = parts.slice(0, count).join('/')
    const found = yield* statOrNothing(join(store.root.given, above))
    if (found?.isFile()) return `the folder ${JSON.stringify(above)} on the way to it`
  }
  return undefined
}
