import fs from 'node:fs'
import fsp from 'node:fs/promises'
import { abortable } from '../../workspace/abortable.js'
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
    if (!isBlocking(step.value)) return abortable(run(work, options?.signal, step), options?.signal)
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

type Blocking = Exclude<Operation, { readonly call: 'unblock' | 'wait' }>

function isBlocking(operation: Operation): operation is Blocking {
  return operation.call !== 'unblock' && operation.call !== 'wait'
}

function performBlocking(operation: Blocking): unknown {
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
      return fs.openSync(operation.path, operation.flags, operation.mode)
    case 'fstat':
      return fs.fstatSync(operation.fd, exact)
    case 'read':
      return fs.readSync(operation.fd, operation.into, 0, operation.into.length, operation.at)
    case 'close':
      return fs.closeSync(operation.fd)
    case 'write':
      return fs.writeSync(operation.fd, operation.from)
    case 'fsync':
      return fs.fsyncSync(operation.fd)
    case 'fchmod':
      return fs.fchmodSync(operation.fd, operation.mode)
    case 'fchown':
      return fs.fchownSync(operation.fd, operation.uid, operation.gid)
    case 'rename':
      return fs.renameSync(operation.from, operation.to)
    case 'link':
      return fs.linkSync(operation.from, operation.to)
    case 'unlink':
      return fs.unlinkSync(operation.path)
    case 'mkdir':
      return fs.mkdirSync(operation.path)
    case 'rmdir':
      return fs.rmdirSync(operation.path)
    case 'atOnce':
      return runBlocking(operation.work, undefined)
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
    case 'rename':
      return fsp.rename(operation.from, operation.to)
    case 'link':
      return fsp.link(operation.from, operation.to)
    case 'unlink':
      return fsp.unlink(operation.path)
    case 'mkdir':
      return fsp.mkdir(operation.path)
    case 'rmdir':
      return fsp.rmdir(operation.path)
    case 'atOnce':
      return Promise.resolve(runBlocking(operation.work, undefined))
    case 'wait':
      return operation.until
    case 'unblock':
      return new Promise((resolve) => (operation.ms > 0 ? setTimeout(resolve, operation.ms) : setImmediate(resolve)))
    default:
      return performOnDescriptor(operation)
  }
}

/** With bare descriptors: a file may be opened by one driver and read on by the other. */
function performOnDescriptor(operation: Extract<Operation, { readonly fd: number } | { readonly call: 'open' }>) {
  return new Promise<unknown>((resolve, reject) => {
    const done = (error: unknown, result?: unknown) => (error ? reject(error) : resolve(result))
    switch (operation.call) {
      case 'open':
        return fs.open(operation.path, operation.flags, operation.mode, done)
      case 'fstat':
        return fs.fstat(operation.fd, exact, done)
      case 'read':
        return fs.read(operation.fd, operation.into, 0, operation.into.length, operation.at, done)
      case 'close':
        return fs.close(operation.fd, done)
      case 'write':
        return fs.write(operation.fd, operation.from, done)
      case 'fsync':
        return fs.fsync(operation.fd, done)
      case 'fchmod':
        return fs.fchmod(operation.fd, operation.mode, done)
      case 'fchown':
        return fs.fchown(operation.fd, operation.uid, operation.gid, done)
    }
  })
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
