import { AssertionError } from 'node:assert/strict'
import { reasonOf } from '../../diagnostics.js'
import type { FileSystem } from '../../ports/file-system.js'
import { refuse } from '../../validation.js'
import { type EveryFaultOptions, everyFaultProblems } from './every-fault-options.js'
import { type Fault, type FileOperation, nameOf } from './faults.js'
import { type FaultyFileSystem, wrapFileSystem } from './wrap-file-system.js'

/**
 * Runs something once without a fault to see which operations it makes, then once more for each of them and each kind
 * of fault, each time on a store of its own, which is closed afterwards. One after another, until the first case that
 * fails: where `run` rejects, or does not settle in time, or `check` rejects.
 *
 * @param create Makes a store as it is before each run.
 * @param run The same calls each time, as far as no fault keeps it from them. Given the file system that fails.
 * @returns how many cases there were, without the first one.
 * @throws AssertionError whose message names the case and says why, with what was thrown as `cause`; also where the
 * first run makes no operation at all. PromptError `invalid-options` for options that are none.
 * @example
 * test('whatever fails, older notes stay', async () => {
 *   await everyFault(() => memoryFileSystem(texts), (files) => addNote(files, 'Wound it.'), { check: hasOlderNotes })
 * })
 */
export async function everyFault<Files extends FileSystem>(
  create: () => Files | Promise<Files>,
  run: (files: FaultyFileSystem<Files>) => unknown,
  options: EveryFaultOptions<Files> = {},
): Promise<number> {
  refuse('everyFault', everyFaultProblems(create, run, options))
  const operations = await runCase('without a fault', () => undefined, { create, run, options })
  if (operations.length === 0) throw failure('without a fault', 'it makes no operation of the store')
  const cases = operations.flatMap((operation) => {
    const faults = options.faults ?? defaultsFor(operation, options.check !== undefined)
    return faults.map((fault) => ({ operation, fault }))
  })
  for (const { operation, fault } of cases) {
    const { index } = operation
    const name = `operation ${index + 1} of ${operations.length}, ${inWords(operation)}: ${nameOf(fault)}`
    await runCase(name, (made) => (made.index === index ? fault : undefined), { create, run, options })
  }
  return cases.length
}

const kinds: readonly Fault[] = [{ kind: 'fail' }, { kind: 'short' }, { kind: 'tear' }, { kind: 'crash' }]
const changed: readonly Fault[] = [
  { kind: 'fail', when: 'after' },
  { kind: 'crash', when: 'after' },
]
const hangs: readonly Fault[] = [{ kind: 'delay', ms: 'never' }]

/** For what only looks before and after are the same; to a run that is given up a call that hangs is a crash. */
function defaultsFor({ method }: FileOperation, isChecked: boolean): readonly Fault[] {
  const looks = method === 'read' || method === 'list'
  return [...kinds, ...(looks ? [] : changed), ...(isChecked ? [] : hangs)]
}

/** Three names tell a read from another one; a build asks for a dozen. */
function inWords({ method, paths }: FileOperation): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return `${method} ${paths.slice(0, 3).join(', ')}${more}`
}

interface Scenario<Files extends FileSystem> {
  readonly create: () => Files | Promise<Files>
  readonly run: (files: FaultyFileSystem<Files>) => unknown
  readonly options: EveryFaultOptions<Files>
}

/** Returns the operations that it made. */
async function runCase<Files extends FileSystem>(
  name: string,
  faultOf: (operation: FileOperation) => Fault | undefined,
  scenario: Scenario<Files>,
): Promise<readonly FileOperation[]> {
  try {
    const store = await scenario.create()
    try {
      return await runOn(store, faultOf, scenario)
    } finally {
      await store.close?.()
    }
  } catch (error) {
    throw failure(name, reasonOf(error), error)
  }
}

async function runOn<Files extends FileSystem>(
  store: Files,
  faultOf: (operation: FileOperation) => Fault | undefined,
  { run, options: { check, within = 5_000 } }: Scenario<Files>,
): Promise<readonly FileOperation[]> {
  let hasFailed = false
  let giveUp = () => {}
  const killed = new Promise<void>((resolve) => {
    if (check !== undefined) giveUp = resolve
  })
  const files = wrapFileSystem(
    store,
    (operation) => {
      const fault = faultOf(operation)
      hasFailed ||= fault !== undefined
      return fault
    },
    () => giveUp(),
  )
  const ran = (async () => run(files))().catch((error: unknown) => {
    // An app may say that its store failed; where nothing did, something else is wrong.
    if (check === undefined || !hasFailed) throw error
  })
  await inTime(Promise.race([ran, killed]), within)
  const { operations } = files
  await check?.(store)
  return operations
}

async function inTime(task: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not settle within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([task, late])
  } finally {
    clearTimeout(timer)
  }
}

function failure(name: string, why: string, cause?: unknown): AssertionError {
  const error = new AssertionError({ message: `${name}: ${why}` })
  if (cause !== undefined) error.cause = cause
  return error
}
