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
import { stat, type Work } from './operations.js'
import { readCall, readFile, type Store } from './read-file.js'
import { rootAt } from './root.js'
import { type Watching, watching } from './watch.js'
import { writersOf } from './writers.js'

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
  /**
   * Whether the length of a file over 64 MiB is counted, by reading all of it once after each change, instead of
   * estimated. Never with blocking calls, whatever `io` says.
   *
   * A read counts until `within` ms after its beginning (default 800, so that it ends within the two seconds of a build,
   * also behind a slow listing), then answers with the estimate; the next one counts on from there. A host with a shorter
   * `deadlines.files` sets it lower. Bytes that are no valid text count as the U+FFFD that stand for them, a NUL as one.
   * Changes nothing of a snapshot but `length`, `approximate` and, for bad bytes between the ends, `lossy`.
   *
   * Default `false`.
   * @example nodeFileSystem('./workspace', { countAll: { within: 300 } })
   */
  readonly countAll?: boolean | { readonly within?: number }
}

export type NodeFileSystem = FileSystem & Required<Pick<FileSystem, 'list' | 'write' | 'append' | 'remove'>> & Watching

const COUNT_WITHIN = 800
/** Timers know no more ms. */
const LONGEST_WITHIN = 2 ** 31 - 1

/**
 * A workspace in a folder on disk.
 *
 * Files are read anew whenever they may have changed. An unchanged file costs one `lstat` and gives the very same
 * snapshot object; so does a file written anew with the same bytes and times. Nothing outside the folder is ever read,
 * whatever links lead there and whoever swaps directories meanwhile; FIFOs, devices and sockets are never read.
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
 * not its access lists. A new one gets what the umask leaves of 0666. Of a link inside the folder the target is
 * replaced; another hard link keeps the old text. A file that the process may not write is neither replaced nor removed.
 * `append` adds in place and in the encoding of the file (UTF-8 for a new one): a failure may leave a part of the text,
 * and says how many bytes; a text is added twice rather than not at all if somebody replaces the file meanwhile.
 * `remove` of a link removes the link. Missing folders are created below the root, and the root itself, but not the
 * folder that is to hold it.
 *
 * Compare-and-set holds among the writers of one process, also over several file systems and through links; changes of
 * one file are made in the order of the calls. Another process, or an editor, that writes between the comparison and
 * the renaming (some microseconds) is overwritten. A process that is killed may leave a file `.NAME.….soulprompt-tmp`.
 *
 * The writing methods throw PromptError `conflict`, `outside-root`, `invalid-options` (a text that no file can give
 * back: it holds NUL or half of a surrogate pair) or `io`, with `data: { path, operation, code }` and the system's error
 * as `cause`; of `write`, the file is then the old one or the new one, whole. Nothing outside the folder is ever
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
  if (typeof options !== 'object' || options === null) {
    throw new PromptError('invalid-options', `The options must be an object, not ${String(options)}.`)
  }
  const { io = 'auto', hardLinks = 'read', countAll = false } = options
  checkChoice('io', io, ['auto', 'sync', 'async'])
  checkChoice('hardLinks', hardLinks, ['read', 'reject'])
  const countWithin = timeToCount(countAll)

  let counter = 0
  const store: Store = {
    root: rootAt(given),
    confirmation,
    rejectHardLinks: hardLinks === 'reject',
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

  return {
    name,

    async read(paths, options) {
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
    },

    async list(directory, options) {
      const perform = await performer(options)
      return perform(listDirectory(store, directory, Date.now()))
    },

    ...writersOf(store),
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

/** In ms; 0: nothing is counted. */
function timeToCount(countAll: NodeFileSystemOptions['countAll']): number {
  if (typeof countAll === 'boolean') return countAll ? COUNT_WITHIN : 0
  if (typeof countAll !== 'object' || countAll === null) {
    throw new PromptError('invalid-options', `countAll must be a boolean or an object, not ${String(countAll)}.`)
  }
  const { within = COUNT_WITHIN } = countAll
  if (typeof within === 'number' && within > 0 && within <= LONGEST_WITHIN) return within
  const message = `countAll.within must be a number of ms over 0 and at most ${LONGEST_WITHIN}, not ${String(within)}.`
  throw new PromptError('invalid-options', message)
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return
  const message = `${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(value)}.`
  throw new PromptError('invalid-options', message)
}
