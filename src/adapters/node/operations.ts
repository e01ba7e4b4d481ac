import type { BigIntStats } from 'node:fs'

/** One call to the file system, as data: what performs it decides whether it blocks. */
export type Operation =
  | { readonly call: 'lstat' | 'stat'; readonly path: string }
  | { readonly call: 'realpath' | 'readlink' | 'readdir'; readonly path: string }
  | { readonly call: 'open'; readonly path: string; readonly flags: number; readonly mode?: number }
  | { readonly call: 'fstat' | 'fsync' | 'close'; readonly fd: number }
  | { readonly call: 'read'; readonly fd: number; readonly into: Uint8Array; readonly at: number }
  /** At the place where the descriptor stands; at the end where it was opened to append. */
  | { readonly call: 'write'; readonly fd: number; readonly from: Uint8Array }
  | { readonly call: 'fchmod'; readonly fd: number; readonly mode: number }
  | { readonly call: 'fchown'; readonly fd: number; readonly uid: number; readonly gid: number }
  | { readonly call: 'rename' | 'link'; readonly from: string; readonly to: string }
  | { readonly call: 'unlink' | 'mkdir' | 'rmdir'; readonly path: string }
  /** To be done with blocking calls even where others are not. */
  | { readonly call: 'atOnce'; readonly work: Work<unknown> }
  /** What follows may take long, and must not block even where calls do; `ms`: and is to start only then. */
  | { readonly call: 'unblock'; readonly ms: number }
  /** What follows comes after something else, which may take long. */
  | { readonly call: 'wait'; readonly until: Promise<void> }

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

/** @param mode Of a file that this creates, less the umask. */
export function* open(path: string, flags: number, mode?: number): Work<number> {
  return (yield { call: 'open', path, flags, ...(mode !== undefined && { mode }) }) as number
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

/** Returns how many bytes were written: it may be fewer, as on a disk that is nearly full. */
export function* write(fd: number, from: Uint8Array): Work<number> {
  const count = (yield { call: 'write', fd, from }) as number
  // Asking again would go on for ever.
  if (count === 0 && from.length > 0) throw new Error('The system wrote nothing and reported no error.')
  return count
}

export function* writeFully(fd: number, bytes: Uint8Array): Work<void> {
  for (let written = 0; written < bytes.length; ) written += yield* write(fd, bytes.subarray(written))
}

export function* fsync(fd: number): Work<void> {
  yield { call: 'fsync', fd }
}

export function* fchmod(fd: number, mode: number): Work<void> {
  yield { call: 'fchmod', fd, mode }
}

export function* fchown(fd: number, uid: number, gid: number): Work<void> {
  yield { call: 'fchown', fd, uid, gid }
}

export function* rename(from: string, to: string): Work<void> {
  yield { call: 'rename', from, to }
}

export function* link(from: string, to: string): Work<void> {
  yield { call: 'link', from, to }
}

export function* unlink(path: string): Work<void> {
  yield { call: 'unlink', path }
}

export function* mkdir(path: string): Work<void> {
  yield { call: 'mkdir', path }
}

/** Only of an empty directory. */
export function* rmdir(path: string): Work<void> {
  yield { call: 'rmdir', path }
}

/** Does short work with nothing between its steps, so that what one of them saw still holds at the next. */
export function* atOnce<T>(work: Work<T>): Work<T> {
  return (yield { call: 'atOnce', work }) as T
}

/** Waits for what never rejects, without blocking. */
export function* wait(until: Promise<void>): Work<void> {
  yield { call: 'wait', until }
}

/** Lets others run; with `ms`, for that many milliseconds. */
export function* unblock(ms = 0): Work<void> {
  yield { call: 'unblock', ms }
}
