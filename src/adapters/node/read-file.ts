import type { BigIntStats } from 'node:fs'
import type { FileReading, FileSnapshot } from '../../ports/file-system.js'
import { checkPath, normalizePath } from '../../workspace/paths.js'
import type { Cache, Known } from './cache.js'
import type { Confirmation } from './confirm.js'
import { BLOCKING_BYTES, type Content, readContent, type TextContent, textOf } from './content.js'
import { outcomeOf, type Refusal, readingOf, refusal } from './failures.js'
import { type LongReads, longReads } from './long-reads.js'
import { openInside } from './open-inside.js'
import { close, fstat, lstat, stat, unblock, type Work } from './operations.js'
import type { Root } from './root.js'
import { isSettled, keyOf, sameKey } from './stat-key.js'

export interface Store {
  readonly root: Root
  readonly confirmation: Confirmation
  readonly rejectHardLinks: boolean
  /** Whether a change is on the disk when it is done. */
  readonly durable: boolean
  /** ms */
  readonly lockTimeout: number
  /** The folders, by device and inode, in which leftovers were looked for. */
  readonly swept: Set<string>
  readonly files: Cache<FileReading>
  readonly directories: Cache<readonly string[]>
  /** Another number on each call. */
  readonly count: () => number
}

/** To open a file that is replaced all the time: an attempt is cheap. */
const ATTEMPTS = 16
/** Of a file that changes while it is read, which may be long. */
const READINGS = 4

export const hardLinked = refusal('outside-root', 'it has another name, which may be outside the workspace')

/** One call of `read`, of several files. */
export interface ReadCall {
  /** ms since 1970, taken before. */
  readonly now: number
  readonly long: LongReads
}

export function readCall(): ReadCall {
  return { now: Date.now(), long: longReads() }
}

/** The newest state of one file. An unchanged one costs a single stat; never throws. */
export function* readFile(store: Store, path: string, call: ReadCall): Work<FileReading> {
  const known = store.files.get(path)
  try {
    const at = known?.at ?? placeOf(store.root, path)
    if (typeof at !== 'string') return readingOf(path, at)
    const found = yield* known?.isLink ? stat(at) : lstat(at)
    if (known?.settled && found !== undefined && sameKey(found, known.key)) return known.value
    if (known?.isLink) return yield* readAfresh(store, path, at, call)
    return found === undefined ? { state: 'missing', path } : yield* readAfresh(store, path, at, call, found)
  } catch (error) {
    return readingOf(path, outcomeOf(error))
  }
}

/** Where a path of the workspace is, absolute, or why it is refused. */
export function placeOf(root: Root, asked: string): string | Refusal {
  const path = normalizePath(asked)
  const refused = checkPath(path) ?? (process.platform === 'win32' && path.includes(':') ? 'holds a colon' : undefined)
  return refused === undefined ? `${root.given}/${path}` : refusal('outside-root', `its name ${refused}`)
}

function* readAfresh(store: Store, path: string, at: string, call: ReadCall, found?: BigIntStats): Work<FileReading> {
  let first = found
  let readings = 0
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const opened = yield* openInside(store.root, at, 'file', store.confirmation, first)
    first = undefined
    if (opened.state === 'replaced') continue
    if (opened.state !== 'open') {
      // A folder above the root may have been renamed: then the root is the same, and elsewhere.
      const mayHaveMoved = opened.state === 'refused' && opened.reason === 'outside-root' && attempt === 1
      if (mayHaveMoved && store.root.forget()) continue
      return readingOf(path, opened)
    }
    let reading: FileReading | undefined
    let end: (() => void) | undefined
    readings++
    const isLast = readings === READINGS || attempt === ATTEMPTS
    try {
      if (opened.stat.size > BLOCKING_BYTES) end = yield* call.long.turn()
      const room = end && call.long.room
      reading = yield* readOpened(store, path, { at, now: call.now, room, ...opened, isLast })
    } finally {
      end?.()
      yield* close(opened.fd)
    }
    if (reading !== undefined) return reading
  }
  return readingOf(path, refusal('io', 'it was replaced again and again while it was read'))
}

interface OpenFile {
  readonly at: string
  readonly now: number
  /** `undefined`: of its own. */
  readonly room: (() => Uint8Array) | undefined
  readonly fd: number
  /** Taken before the reading: a change in between then shows next time. */
  readonly stat: BigIntStats
  readonly isLink: boolean
  readonly isLast: boolean
}

/** `undefined`: it changed meanwhile and is to be read again. */
function* readOpened(store: Store, path: string, file: OpenFile): Work<FileReading | undefined> {
  if (store.rejectHardLinks && file.stat.nlink > 1n) {
    // A file that was created this instant still has the temporary name under which it was written.
    if (file.isLast || !isThisInstant(file.stat.ctimeMs)) return readingOf(path, hardLinked)
    yield* unblock(5)
    return undefined
  }
  const content = yield* readContent(file.fd, Number(file.stat.size), file.room)
  const steady = sameKey(file.stat, yield* fstat(file.fd))
  if (!steady && !file.isLast) return undefined
  if (!file.isLast && isHalfSaved(content, file.stat, store.files.get(path))) {
    yield* unblock(5)
    return undefined
  }
  const settled = steady && isSettled(file.stat, file.now)
  const value = resultOf(store, path, content, file.stat, settled)
  if (content.kind !== 'failed') remember(store, path, file, settled, value)
  return value
}

/** Keeps a reading for the next one. */
export function remember(
  store: Store,
  path: string,
  { at, isLink, stat }: Pick<OpenFile, 'at' | 'isLink' | 'stat'>,
  settled: boolean,
  value: FileReading,
): void {
  store.files.set(path, { at, isLink, key: keyOf(stat), settled, value })
}

/** Many editors save by emptying the file and then writing it: what was shortened this instant is soon longer again. */
function isHalfSaved(content: Content, { size, mtimeMs }: BigIntStats, known: Known<FileReading> | undefined): boolean {
  const isEmpty = content.kind === 'whole' && content.bytes.length === 0
  if (!isEmpty && !(known !== undefined && size < known.key.size)) return false
  return isThisInstant(mtimeMs)
}

function isThisInstant(ms: bigint): boolean {
  return Math.abs(Date.now() - Number(ms)) < 20
}

function resultOf(store: Store, path: string, content: Content, stat: BigIntStats, settled: boolean): FileReading {
  if (content.kind === 'failed') return readingOf(path, refusal('io', content.detail))
  if (content.kind === 'binary') return readingOf(path, refusal('binary', 'it holds NUL, so it is no text'))
  return snapshotOf(store, path, content, stat, settled)
}

export function snapshotOf(
  store: Store,
  path: string,
  content: TextContent,
  stat: BigIntStats,
  settled: boolean,
): FileSnapshot {
  const version = versionOf(store, content, stat, settled)
  const id = `${stat.dev}:${stat.ino}`
  const modifiedAt = new Date(Number(stat.mtimeMs))
  const before = store.files.get(path)?.value
  if (before?.state !== 'present' || before.version !== version) {
    return Object.freeze<FileSnapshot>({ state: 'present', path, ...textOf(content), version, id, modifiedAt })
  }
  // What is derived from a file is kept by the identity of its snapshot.
  if (before.id === id && before.modifiedAt?.getTime() === modifiedAt.getTime()) return before
  return Object.freeze<FileSnapshot>({ ...before, id, modifiedAt })
}

function versionOf(
  store: Store,
  content: TextContent,
  { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats,
  settled: boolean,
): string {
  if (content.kind === 'whole' || content.exact) return content.digest
  // Its middle was not looked at: only a key that every change shows in may call two readings equal.
  const key = [content.digest, size, dev, ino, mtimeNs, ctimeNs].join('-')
  return settled ? key : `${key}-${store.count()}`
}
