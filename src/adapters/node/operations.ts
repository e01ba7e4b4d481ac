import type { BigIntStats } from 'node:fs'

/** One call to the file system, as data: what performs it decides whether it blocks. */
export type Operation =
  | { readonly call: 'lstat' | 'stat'; readonly path: string }
  | { readonly call: 'realpath' | 'readlink' | 'readdir'; readonly path: string }
  | { readonly call: 'open'; readonly path: string; readonly flags: number }
  | { readonly call: 'fstat'; readonly fd: number }
  | { readonly call: 'close'; readonly fd: number }
  | { readonly call: 'read'; readonly fd: number; readonly into: Uint8Array; readonly at: number }
  /** What follows may take long, and must not block even where calls do; `ms`: and is to start only then. */
  | { readonly call: 'unblock'; readonly ms: number }

/** Logic that asks for its operations one by one, so that the same lines run blocking and not. */
export type Work<T> = Generator<Operation, T, unknown>

/** `undefined`: it is not there. Some versions of Node throw ENOTDIR, others do not. */
export function* lstat(path: string): Work<BigIntStats | undefined> {
  return (yield { call: 'lstat', path }) as BigIntStats | undefined
}

/** As {@link lstat}, of what a link leads to. */
export function* stat(path: string): Work<BigIntStats | undefined> {
  return (yield { call: 'stat', path }) as BigIntStats | undefined
}

export function* realpath(path: string): Work<string> {
  return (yield { call: 'realpath', path }) as string
}

export function* readlink(path: string): Work<string> {
  return (yield { call: 'readlink', path }) as string
}

export function* readdir(path: string): Work<string[]> {
  return (yield { call: 'readdir', path }) as string[]
}

export function* open(path: string, flags: number): Work<number> {
  return (yield { call: 'open', path, flags }) as number
}

export function* fstat(fd: number): Work<BigIntStats> {
  return (yield { call: 'fstat', fd }) as BigIntStats
}

export function* close(fd: number): Work<void> {
  yield { call: 'close', fd }
}

/** Fills `into` from the byte `at` of the file, in as many reads as it takes; fewer bytes mean that the file ends. */
export function* readFully(fd: number, into: Uint8Array, at: number): Work<number> {
  let filled = 0
  while (filled < into.length) {
    const count = (yield { call: 'read', fd, into: into.subarray(filled), at: at + filled }) as number
    if (count === 0) break
    filled += count
  }
  return filled
}

/** Lets others run; with `ms`, for that many milliseconds. */
export function* unblock(ms = 0): Work<void> {
  yield { call: 'unblock', ms }
}
