import fs from 'node:fs'
import fsp from 'node:fs/promises'
import type { Operation, Work } from './operations.js'

const exact = { bigint: true } as const
const exactOrMissing = { bigint: true, throwIfNoEntry: false } as const

/** Asked for its signal only where one can matter: a caller may make it no sooner. */
interface Abortable {
  readonly signal?: AbortSignal
}

/**
 * Does the work with blocking calls. Returns a promise only if the work says that it may take long: the rest is then
 * done without blocking.
 */
export function runBlocking<T>(work: Work<T>, options: Abortable | undefined): T | Promise<T> {
  let step = work.next()
  while (!step.done) {
    if (step.value.call === 'unblock') return abortable(run(work, options?.signal, step), options?.signal)
    let result: unknown
    try {
      result = performBlocking(step.value)
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(result)
  }
  return step.value
}

/** Does the work with promises. After an abort it does nothing more but close what is open. */
export async function run<T>(work: Work<T>, signal: AbortSignal | undefined, first = work.next()): Promise<T> {
  let step = first
  while (!step.done) {
    let result: unknown
    try {
      if (step.value.call !== 'close') signal?.throwIfAborted()
      result = await perform(step.value)
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(result)
  }
  return step.value
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts: a call may hang for ever. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function performBlocking(operation: Exclude<Operation, { readonly call: 'unblock' }>): unknown {
  switch (operation.call) {
    case 'lstat':
      return fs.lstatSync(operation.path, exactOrMissing)
    case 'stat':
      return fs.statSync(operation.path, exactOrMissing)
    case 'realpath':
      return fs.realpathSync.native(operation.path)
    case 'readlink':
      return fs.readlinkSync(operation.path)
    case 'readdir':
      return fs.readdirSync(operation.path)
    case 'open':
      return fs.openSync(operation.path, operation.flags)
    case 'fstat':
      return fs.fstatSync(operation.fd, exact)
    case 'read':
      return fs.readSync(operation.fd, operation.into, 0, operation.into.length, operation.at)
    case 'close':
      return fs.closeSync(operation.fd)
  }
}

function perform(operation: Operation): Promise<unknown> {
  switch (operation.call) {
    case 'lstat':
      return fsp.lstat(operation.path, exact).catch(missing)
    case 'stat':
      return fsp.stat(operation.path, exact).catch(missing)
    case 'realpath':
      return fsp.realpath(operation.path)
    case 'readlink':
      return fsp.readlink(operation.path)
    case 'readdir':
      return fsp.readdir(operation.path)
    case 'unblock':
      return new Promise((resolve) => (operation.ms > 0 ? setTimeout(resolve, operation.ms) : setImmediate(resolve)))
    default:
      return performOnDescriptor(operation)
  }
}

/** With bare descriptors: a file may be opened by one driver and read on by the other. */
function performOnDescriptor(operation: Extract<Operation, { readonly call: 'open' | 'fstat' | 'read' | 'close' }>) {
  return new Promise<unknown>((resolve, reject) => {
    const done = (error: unknown, result?: unknown) => (error ? reject(error) : resolve(result))
    if (operation.call === 'open') fs.open(operation.path, operation.flags, done)
    else if (operation.call === 'fstat') fs.fstat(operation.fd, exact, done)
    else if (operation.call === 'close') fs.close(operation.fd, done)
    else fs.read(operation.fd, operation.into, 0, operation.into.length, operation.at, done)
  })
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
