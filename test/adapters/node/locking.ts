import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { boundedCache } from '../../../src/adapters/node/cache.js'
import type { Confirmation } from '../../../src/adapters/node/confirm.js'
import { run } from '../../../src/adapters/node/drivers.js'
import { type Folder, openFolder } from '../../../src/adapters/node/folder.js'
import { close, type Operation, type Work } from '../../../src/adapters/node/operations.js'
import { lockName, tokenFile } from '../../../src/adapters/node/own-names.js'
import { formatIdentity, ownIdentity, type ProcessIdentity } from '../../../src/adapters/node/process-identity.js'
import type { Store } from '../../../src/adapters/node/read-file.js'
import { rootAt } from '../../../src/adapters/node/root.js'
import { compiled } from './compiled.js'
import { systemError } from './writing.js'

/** Opens a folder for some work. */
export function inOpenFolder<T>(
  root: string,
  confirmation: Confirmation,
  use: (folder: Folder) => Work<T>,
): Promise<T> {
  return run(opened(root, confirmation, use), undefined)
}

function* opened<T>(root: string, confirmation: Confirmation, use: (folder: Folder) => Work<T>): Work<T> {
  const store: Store = {
    root: rootAt(root),
    confirmation,
    rejectHardLinks: false,
    durable: true,
    lockTimeout: 5_000,
    swept: new Set(),
    files: boundedCache({ entries: 1, units: 1, unitsOf: () => 1 }),
    directories: boundedCache({ entries: 1, units: 1, unitsOf: () => 1 }),
    count: () => 0,
  }
  const folder = yield* openFolder(store, root, false)
  if (folder === undefined) throw new Error(`${root} is not there`)
  try {
    return yield* use(folder)
  } finally {
    yield* close(folder.fd)
  }
}

/** Has one operation fail; a closing one is done all the same. Says whether there were so many. */
export function withFault<T>(work: Work<T>, at: number, code: string): { readonly work: Work<T>; hit: boolean } {
  let calls = 0
  function* failing<R>(inner: Work<R>): Work<R> {
    let step = inner.next()
    while (!step.done) {
      try {
        const result: unknown = yield* performed(step.value)
        step = inner.next(result)
      } catch (error) {
        step = inner.throw(error)
      }
    }
    return step.value
  }
  function* performed(operation: Operation): Work<unknown> {
    if (operation.call === 'unblock') return yield operation
    if (operation.call === 'atOnce') return yield { call: 'atOnce', work: failing(operation.work) }
    if (++calls !== at) return yield operation
    state.hit = true
    if (operation.call === 'close') yield operation
    throw systemError(code)
  }
  const state = { work: failing(work), hit: false }
  return state
}

export const someToken = (identity: string) => `${identity}-0123456789ab`

export async function identityLike(changes: Partial<ProcessIdentity>): Promise<string> {
  return formatIdentity({ ...(await run(ownIdentity(), undefined)), ...changes })
}

/** A lock as another process leaves it. Returns the path of its token. */
export function putLock(root: string, name: string, token: string): string {
  const lock = `${root}/${lockName(name)}`
  fs.mkdirSync(lock)
  fs.writeFileSync(`${lock}/${tokenFile(token)}`, '')
  return `${lock}/${tokenFile(token)}`
}

/** What a script below has at hand: `inLock(work)`, operations, and `say`. */
const prelude = `
  const [modules, root, ...rest] = process.argv.slice(1)
  const load = (name) => import(modules + name + '.js')
  const { run } = await load('drivers')
  const { openFolder } = await load('folder')
  const { rootAt } = await load('root')
  const { withLock } = await load('lock')
  const { withTemporaryFile } = await load('temporary-file')
  const { ownIdentity, formatIdentity } = await load('process-identity')
  const { close, unblock, wait } = await load('operations')
  const fs = (await import('node:fs')).default
  const say = (line) => fs.writeSync(1, line + '\\n')
  const inFolder = (use) => run((function* () {
    const folder = yield* openFolder({ root: rootAt(root), confirmation: 'descriptor' }, root, false)
    try { return yield* use(folder) } finally { yield* close(folder.fd) }
  })())
  const inLock = (work) => inFolder((folder) => withLock(folder, 'a.md', 60_000, work))
`

/** The folder with the modules that {@link startProcess} runs, as a URL. */
export function modulesIn(folder: string): string {
  for (const name of ['drivers', 'root', 'lock', 'temporary-file']) compiled(folder, `adapters/node/${name}.js`)
  return `${pathToFileURL(dirname(compiled(folder, 'adapters/node/folder.js'))).href}/`
}

export type Child = ChildProcessByStdio<null, Readable, null>

export function startProcess(script: string, modules: string, root: string, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, ['--input-type=module', '-e', prelude + script, modules, root, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('utf8')
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export async function kill(child: Child): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A process that holds the lock of `a.md` until it is killed. */
export async function startHolder(modules: string, root: string): Promise<Child> {
  const holder = startProcess("await inLock(function* () { say('held'); yield* unblock(1e8) })", modules, root)
  await once(holder.stdout, 'data')
  return holder
}
