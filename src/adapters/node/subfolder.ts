import fs from 'node:fs'
import { refused, replaced } from './change-failures.js'
import { codeOf } from './failures.js'
import { type Folder, inFolder } from './folder.js'
import { close, fstat, open, type Work } from './operations.js'

const flags =
  fs.constants.O_RDONLY |
  (fs.constants.O_NONBLOCK ?? 0) |
  (fs.constants.O_NOFOLLOW ?? 0) |
  (fs.constants.O_DIRECTORY ?? 0)

/**
 * Does something with a directory that stands in the folder under this very name, never with one that a link leads to;
 * `undefined`: nothing stands there. What is done through it goes through {@link inFolder}, as in every folder.
 *
 * @throws if what stands there is no directory
 */
export function* withSubfolder<T>(folder: Folder, name: string, use: (inner: Folder) => Work<T>): Work<T | undefined> {
  let fd: number
  try {
    fd = yield* open(`${folder.place}/${name}`, flags)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw ['ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '') ? noDirectory(name, error) : error
  }
  try {
    const stat = yield* fstat(fd)
    if (!stat.isDirectory()) throw noDirectory(name)
    const place = folder.confirmation === 'descriptor' ? `/proc/self/fd/${fd}` : `${folder.place}/${name}`
    return yield* use({ ...folder, fd, stat, place })
  } finally {
    yield* close(fd)
  }
}

/** As {@link withSubfolder}, of one that was there a moment ago. */
export function* inSubfolder<T>(folder: Folder, name: string, use: (inner: Folder) => Work<T>): Work<T> {
  const outcome = yield* withSubfolder(folder, name, function* (inner) {
    return { result: yield* use(inner) }
  })
  if (outcome === undefined) throw replaced()
  return outcome.result
}

export function noDirectory(name: string, cause?: unknown) {
  return refused('io', `${JSON.stringify(name)} stands beside it and is no directory`, cause)
}
