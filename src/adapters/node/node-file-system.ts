import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '../../errors.js'
import type { FileReading, FileSystem } from '../../ports/file-system.js'
import { abortable } from '../../workspace/abortable.js'
import { askedPaths } from './asked-paths.js'
import { boundedCache } from './cache.js'
import type { Confirmation } from './confirm.js'
import { run, runBlocking } from './drivers.js'
import { exactLengths, isEstimate } from './exact-lengths.js'
import { readingOf, refusal } from './failures.js'
import { defaultWay } from './folder-events.js'
import { listDirectory } from './list-directory.js'
import { isOnLocalDisk } from './local-disk.js'
import { checkOptions, type NodeFileSystemOptions } from './node-file-system-options.js'
import { stat, type Work } from './operations.js'
import { readCall, readFile, type Store } from './read-file.js'
import { rootAt } from './root.js'
import { type Watching, watching } from './watch.js'
import { withLastGood } from './with-last-good.js'
import { writersOf } from './writers.js'

export type NodeFileSystem = FileSystem & Required<Pick<FileSystem, 'list' | 'write' | 'append' | 'remove'>> & Watching

/**
 * A workspace in a folder on disk.
 *
 * Files are read anew whenever they may have changed. An unchanged file costs one `lstat` and gives the very same
 * snapshot object; so does a file written anew with the same bytes and times. Nothing outside the folder, and those that
 * `links` names, is ever read, whatever links lead there and whoever swaps directories meanwhile; FIFOs, devices and
 * sockets are never read.
 * Memory is bounded: at most 3 MiB of a file at a time, and 64 MiB of texts kept.
 *
 * On a network disk a change shows as soon as the client's own cache of attributes lets it be seen.
 *
 * `watch` gives hints of files that may have changed, for hosts that show or reload something; a build needs none. It
 * goes on whatever is deleted, created again or put in the place of a folder, the root included, and keeps no process
 * alive. `close` stops every watch; reading, writing and watching go on afterwards.
 *
 * A root that does not exist is an empty workspace; it may appear later. `list` throws PromptError `outside-root` or
 * `io` for a directory it may not or cannot list; `read` throws only the reason of its signal.
 *
 * `write` replaces a file as a whole: who looks, also after a crash or a power cut, finds the old text or the new one,
 * and a call that resolved is on the disk. The file keeps its permissions and, where the system allows it, its owner;
 * not its access lists. A new one gets what the umask leaves of 0666. Of a link that is followed the target is
 * replaced; another hard link keeps the old text. A file that the process may not write is neither replaced nor removed.
 * `append` adds in place and in the encoding of the file (UTF-8 for a new one): a failure may leave a part of the text,
 * and says how many bytes; a text is added twice rather than not at all if somebody replaces the file meanwhile. In a
 * `.jsonl` or `.ndjson` file it starts on a line of its own, so that a torn record takes no other with it.
 * `remove` of a link removes the link. Missing folders are created below the root, and the root itself, but not the
 * folder that is to hold it.
 *
 * Compare-and-set holds among all processes that use this library, also over several file systems and through links:
 * they take a lock beside the file, which a killed process does not keep; changes that one process makes to a file are
 * made in the order of the calls. An editor heeds no lock. What it saved since the file was compared is a `conflict`
 * all the same, and stays; only a file that it renames into place in the very instant of ours (some microseconds) is
 * overwritten. What a killed process left, `.NAME.….soulprompt-tmp`, is removed before the first change in a folder.
 *
 * The writing methods throw PromptError `conflict`, `locked` (another process still had the lock after `lockTimeout`,
 * with `data: { path, operation, pid, waited }`), `outside-root`, `invalid-options` (a text that no file can give
 * back: it holds NUL or half of a surrogate pair) or `io`, with `data: { path, operation, code }` and the system's error
 * as `cause`; of `write`, the file is then the old one or the new one, whole. Nothing outside these folders is ever
 * changed; where the system has no `/proc` (all but Linux) only as far as directories are not swapped in the very
 * instant between the last look and the change.
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
  const { io, rejectHardLinks, links, keepsLastGood, durable, lockTimeout, countWithin } = checkOptions(options)

  let counter = 0
  const store: Store = {
    root: rootAt(given, links),
    confirmation,
    rejectHardLinks,
    durable,
    lockTimeout,
    swept: new Set(),
    files: boundedCache<FileReading>({ entries: 256, units: 32 * 2 ** 20, unitsOf }),
    directories: boundedCache<readonly string[]>({ entries: 16, units: 2 ** 20, unitsOf: unitsOfNames }),
    count: () => ++counter,
  }

  const lengths = exactLengths(store)
  const asked = askedPaths()
  const name = `node:${root}`

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

  const read: FileSystem['read'] = async (paths, options) => {
    asked.note(paths)
    const began = performance.now()
    const perform = await performer(options)
    const call = readCall()
    const started = paths.map((path) => perform(readFile(store, path, call)))
    const readings = started.every(isReading) ? started : await Promise.all(started)
    if (countWithin > 0 && readings.some(isEstimate)) {
      return lengths.of(readings, began + countWithin - performance.now(), options?.signal)
    }
    if (readings.some((reading) => reading.state === 'present')) return readings
    return perform(withRootProblem(given, readings))
  }
  const methods = { read, ...writersOf(store) }

  return {
    name,

    async list(directory, options) {
      const perform = await performer(options)
      return perform(listDirectory(store, directory, Date.now()))
    },

    ...methods,
    ...(keepsLastGood && withLastGood(methods, countWithin)),
    ...watching({ name, given, asked, files: store.files, way: defaultWay }),
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
