import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '../../errors.js'
import type { FileReading, FileSystem } from '../../ports/file-system.js'
import { boundedCache } from './cache.js'
import type { Confirmation } from './confirm.js'
import { abortable, run, runBlocking } from './drivers.js'
import { readingOf, refusal } from './failures.js'
import { listDirectory } from './list-directory.js'
import { isOnLocalDisk } from './local-disk.js'
import { stat, type Work } from './operations.js'
import { readFile, type Store } from './read-file.js'
import { rootAt } from './root.js'

export interface NodeFileSystemOptions {
  /**
   * - `sync`: blocking calls, some ten times faster for small files on a local disk. Files over 1 MiB are read without
   *   blocking all the same, and only there is an abort heeded.
   * - `async`: no blocking calls; all paths in parallel; an abort is heeded at once.
   * - `auto`: `sync` on file systems known to be local disks, `async` on network ones, FUSE and unknown ones, where a
   *   call can stall. Decided once, when the root is first there.
   *
   * Default `auto`.
   */
  readonly io?: 'auto' | 'sync' | 'async'
  /** `reject`: a file with more than one name is `outside-root`, for the other may be anywhere. Default `read`. */
  readonly hardLinks?: 'read' | 'reject'
}

export type NodeFileSystem = FileSystem & Required<Pick<FileSystem, 'list'>>

/**
 * A workspace in a folder on disk, for reading.
 *
 * Files are read anew whenever they may have changed. An unchanged file costs one `lstat` and gives the very same
 * snapshot object; so does a file written anew with the same bytes and times. Nothing outside the folder is ever read,
 * whatever links lead there and whoever swaps directories meanwhile; FIFOs, devices and sockets are never read.
 * Memory is bounded: at most 3 MiB of a file at a time, and 64 MiB of texts kept.
 *
 * On a network disk a change shows as soon as the client's own cache of attributes lets it be seen.
 *
 * A root that does not exist is an empty workspace; it may appear later. `list` throws PromptError `outside-root` or
 * `io` for a directory it may not or cannot list; `read` throws only the reason of its signal.
 *
 * @param root A folder, as a path (relative to the working directory of this moment) or a `file:` URL.
 * @throws PromptError `invalid-options`
 * @example
 * const files = nodeFileSystem('./workspace')
 * const [soul] = await files.read(['SOUL.md'])
 */
export function nodeFileSystem(root: string | URL, options: NodeFileSystemOptions = {}): NodeFileSystem {
  return createNodeFileSystem(root, options, process.platform === 'linux' ? 'descriptor' : 'path')
}

/** With the way in which opened files are confirmed, which the platform decides. */
export function createNodeFileSystem(
  root: string | URL,
  options: NodeFileSystemOptions,
  confirmation: Confirmation,
): NodeFileSystem {
  const given = pathOf(root)
  const { io = 'auto', hardLinks = 'read' } = options
  checkChoice('io', io, ['auto', 'sync', 'async'])
  checkChoice('hardLinks', hardLinks, ['read', 'reject'])

  let counter = 0
  const store: Store = {
    root: rootAt(given),
    confirmation,
    rejectHardLinks: hardLinks === 'reject',
    files: boundedCache<FileReading>({ entries: 256, units: 32 * 2 ** 20, unitsOf }),
    directories: boundedCache<readonly string[]>({ entries: 16, units: 2 ** 20, unitsOf: unitsOfNames }),
    count: () => ++counter,
  }

  let decided = io === 'auto' ? undefined : io
  async function decide(): Promise<'sync' | 'async'> {
    const isLocal = await isOnLocalDisk(given)
    if (isLocal !== undefined) decided = isLocal ? 'sync' : 'async'
    return decided ?? 'async'
  }
  async function performer(options: { readonly signal?: AbortSignal } | undefined) {
    // Blocking calls are over before anybody could abort them.
    if (decided === 'sync') return <T>(work: Work<T>) => runBlocking(work, options)
    const signal = options?.signal
    signal?.throwIfAborted()
    const io = decided ?? (await abortable(decide(), signal))
    if (io === 'sync') return <T>(work: Work<T>) => runBlocking(work, options)
    return <T>(work: Work<T>) => abortable(run(work, signal), signal)
  }

  return {
    name: `node:${root}`,

    async read(paths, options) {
      const perform = await performer(options)
      const now = Date.now()
      const started = paths.map((path) => perform(readFile(store, path, now)))
      const readings = started.every(isReading) ? started : await Promise.all(started)
      if (readings.some((reading) => reading.state === 'present')) return readings
      return perform(withRootProblem(given, readings))
    },

    async list(directory, options) {
      const perform = await performer(options)
      return perform(listDirectory(store, directory, Date.now()))
    },
  }
}

/** Below a file everything is missing, and some versions of Node do not tell the difference. */
function* withRootProblem(root: string, readings: readonly FileReading[]): Work<readonly FileReading[]> {
  if (!readings.some((reading) => reading.state === 'missing')) return readings
  try {
    const found = yield* stat(root)
    if (found === undefined || found.isDirectory()) return readings
  } catch {
    return readings
  }
  const problem = refusal('io', 'the root of the workspace is a file and not a folder')
  return readings.map((reading) => (reading.state === 'missing' ? readingOf(reading.path, problem) : reading))
}

function isReading(reading: FileReading | Promise<FileReading>): reading is FileReading {
  return !(reading instanceof Promise)
}

function unitsOf(reading: FileReading): number {
  return reading.state === 'present' ? reading.text.length : 0
}

function unitsOfNames(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length, 0)
}

function pathOf(root: string | URL): string {
  try {
    const path = typeof root === 'string' ? root : fileURLToPath(root)
    if (path !== '' && !path.includes('\0')) return resolve(path)
  } catch (cause) {
    throw new PromptError('invalid-options', `The root must be a path or a file: URL, not ${String(root)}.`, { cause })
  }
  throw new PromptError('invalid-options', `The root must be the path of a folder, not ${JSON.stringify(root)}.`)
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return
  const message = `${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(value)}.`
  throw new PromptError('invalid-options', message)
}
