import fs from 'node:fs'
import { encodingOf } from '../../workspace/decode.js'
import { isRecords } from '../../workspace/records.js'
import { changeError, outcomeOfChange, replaced } from './change-failures.js'
import type { Change } from './change-file.js'
import { underLock } from './change-lock.js'
import { refusal } from './failures.js'
import { confirmInside, type Folder, openFolder, reportEscape, settle } from './folder.js'
import type { Held } from './lock.js'
import { close, fsync, lstat, readFully, type Work, write, writeFully } from './operations.js'
import { sameFile } from './stat-key.js'
import { checkHardLinks, openStanding, type Standing, targetOf } from './target.js'
import { create, holding, replace, withTemporaryFile } from './temporary-file.js'

const CHUNK_BYTES = 256 * 1_024

/** Adds to the end of a file in place, in its own encoding; a missing one is created complete. */
export function* appendFile(change: Change, text: string): Work<void> {
  const { store } = change
  const { folder: path, name } = yield* targetOf(change)
  const folder = yield* openFolder(store, path, true)
  if (folder === undefined) throw replaced()
  try {
    yield* underLock(change, folder, name, (lock) => appendUnder(lock, change, folder, name, text))
  } finally {
    yield* close(folder.fd)
  }
}

function* appendUnder(lock: Held, change: Change, folder: Folder, name: string, text: string): Work<void> {
  yield* lock.confirm()
  const standing = yield* openStanding(folder, name, fs.constants.O_RDWR | fs.constants.O_APPEND)
  if (standing === undefined) return yield* createWith(folder, name, Buffer.from(text))
  try {
    yield* appendTo(change, folder, name, standing, text)
  } finally {
    yield* close(standing.fd)
  }
}

function* appendTo(change: Change, folder: Folder, name: string, file: Standing, text: string): Work<void> {
  const { fd, stat } = file
  if (change.store.rejectHardLinks) checkHardLinks(stat)
  const bytes = yield* encodedLike(fd, (yield* needsNewline(name, file)) ? `\n${text}` : text)
  // The other name may be anywhere, and its text is not to change.
  if (stat.nlink > 1n) return yield* replaceWithCopy(folder, name, file, bytes)
  yield* confirmInside(folder, name, fd, stat)
  yield* writeToEnd(change, fd, bytes)
  if (folder.durable) yield* fsync(fd)
  yield* reportEscape(folder, name, fd, stat)
  // Into a file that was replaced meanwhile nobody will look: the text goes into the new one as well.
  const found = yield* lstat(`${folder.place}/${name}`)
  if (found === undefined || !sameFile(found, stat)) throw replaced()
}

/** A record that a crash tore, or an editor left without its end, does not take the next one with it. */
function* needsNewline(name: string, { fd, stat }: Standing): Work<boolean> {
  if (!isRecords(name) || stat.size === 0n) return false
  const last = Buffer.alloc(1)
  yield* readFully(fd, last, Number(stat.size) - 1)
  return last[0] !== 0x0a
}

function* createWith(folder: Folder, name: string, bytes: Uint8Array): Work<void> {
  yield* withTemporaryFile(folder, name, undefined, holding(bytes), function* (file) {
    yield* create(folder, file, name)
    yield* settle(folder, name, file.fd)
  })
}

function* replaceWithCopy(folder: Folder, name: string, { fd, stat }: Standing, bytes: Uint8Array): Work<void> {
  const fill = function* (to: number) {
    const copied = yield* copy(fd, to)
    yield* writeFully(to, bytes)
    return copied + bytes.length
  }
  yield* withTemporaryFile(folder, name, stat, fill, function* (file) {
    yield* replace(folder, file, name)
    yield* settle(folder, name, file.fd)
  })
}

/** In one call as a rule, so that what several processes add does not mix. */
function* writeToEnd({ path, verb }: Change, fd: number, bytes: Uint8Array): Work<void> {
  let written = 0
  try {
    while (written < bytes.length) written += yield* write(fd, bytes.subarray(written))
  } catch (error) {
    if (written === 0) throw error
    // To cut them off again might take what another process added meanwhile.
    const outcome = outcomeOfChange(error)
    const why = outcome.state === 'refused' ? outcome.detail : 'the system failed'
    const detail = `${why}; ${written} of ${bytes.length} bytes were added before, and stay`
    throw changeError(path, verb, refusal('io', detail, error), { written })
  }
}

/** Returns how many bytes there were. */
function* copy(from: number, to: number): Work<number> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let at = 0; ; ) {
    const count = yield* readFully(from, buffer, at)
    yield* writeFully(to, buffer.subarray(0, count))
    at += count
    if (count < buffer.length) return at
  }
}

function* encodedLike(fd: number, text: string): Work<Uint8Array> {
  const mark = Buffer.alloc(2)
  yield* readFully(fd, mark, 0)
  const encoding = encodingOf(mark)
  if (encoding === 'utf-8') return Buffer.from(text)
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}
