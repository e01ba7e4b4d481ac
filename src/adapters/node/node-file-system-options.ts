import { PromptError } from '../../errors.js'
import { type Links, linkRule } from './links.js'
import type { LinkRule } from './root.js'

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
   * What symbolic links in the workspace may do; the root itself may always be one.
   *
   * - `inside-root`: a link is followed if what it leads to lies in the root.
   * - `reject`: none is followed, be it a file or a folder on the way to one: what stands behind it is `outside-root`.
   *   `remove` takes a link away.
   * - `roots`: a link may also lead into one of these folders, absolute paths or `file:` URLs. It is read, listed,
   *   written and appended to there as inside the root, so a link that somebody puts into the workspace reaches all of
   *   them. A folder that is not there allows nothing; it may appear later. `watch` tells of nothing in them.
   *
   * Default `inside-root`.
   * @example nodeFileSystem('./workspace', { links: { roots: ['/shared/souls'] } })
   */
  readonly links?: Links
  /**
   * - `report`: a file that cannot be read this time is `unreadable`.
   * - `last-good`: the last text that was read stands in for it, marked `stale`, as `keepLastGood` does for any file
   *   system: where the reason is `io`, or a read without blocking calls takes longer than 900 ms (with `countAll`, 100
   *   more than its `within` if that is longer). A disk that is unmounted shows its files as missing, not as failing.
   *
   * Default `report`.
   */
  readonly onFailure?: 'report' | 'last-good'
  /**
   * - `full`: a write that resolved is on the disk, and its name with it, when the power fails the instant after.
   * - `relaxed`: it is with the system, which puts it on the disk within some seconds: a crash of the process takes
   *   nothing, one of the machine may leave an empty file.
   *
   * Default `full`.
   */
  readonly durability?: 'full' | 'relaxed'
  /** How long a change waits for the lock of a process that is alive, in ms; then it throws `locked`. Default 5,000. */
  readonly lockTimeout?: number
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

/** Options with their defaults. */
export interface CheckedOptions {
  readonly io: 'auto' | 'sync' | 'async'
  readonly rejectHardLinks: boolean
  readonly links: LinkRule
  readonly keepsLastGood: boolean
  readonly durable: boolean
  /** ms */
  readonly lockTimeout: number
  /** In ms; 0: nothing is counted. */
  readonly countWithin: number
}

const names = ['io', 'hardLinks', 'links', 'onFailure', 'durability', 'lockTimeout', 'countAll']
const COUNT_WITHIN = 800
const LOCK_TIMEOUT = 5_000
/** Timers know no more ms. */
const LONGEST_TIME = 2 ** 31 - 1

/** @throws PromptError `invalid-options` */
export function checkOptions(options: NodeFileSystemOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null) throw invalid('The options must be an object', options)
  checkNames('options', options, names)
  const { io = 'auto', hardLinks = 'read', links = 'inside-root', onFailure = 'report' } = options
  const { durability = 'full', lockTimeout = LOCK_TIMEOUT, countAll = false } = options
  checkChoice('io', io, ['auto', 'sync', 'async'])
  checkChoice('hardLinks', hardLinks, ['read', 'reject'])
  checkChoice('onFailure', onFailure, ['report', 'last-good'])
  checkChoice('durability', durability, ['full', 'relaxed'])
  if (!isTime(lockTimeout) && lockTimeout !== 0) {
    throw invalid(`lockTimeout must be a number of ms from 0 to ${LONGEST_TIME}`, lockTimeout)
  }
  return {
    io,
    rejectHardLinks: hardLinks === 'reject',
    links: linkRule(links),
    keepsLastGood: onFailure === 'last-good',
    durable: durability === 'full',
    lockTimeout,
    countWithin: timeToCount(countAll),
  }
}

function timeToCount(countAll: NodeFileSystemOptions['countAll']): number {
  if (typeof countAll === 'boolean') return countAll ? COUNT_WITHIN : 0
  if (typeof countAll !== 'object' || countAll === null) {
    throw invalid('countAll must be a boolean or an object', countAll)
  }
  checkNames('countAll', countAll, ['within'])
  const { within = COUNT_WITHIN } = countAll
  if (isTime(within)) return within
  throw invalid(`countAll.within must be a number of ms over 0 and at most ${LONGEST_TIME}`, within)
}

function isTime(ms: unknown): boolean {
  return typeof ms === 'number' && ms > 0 && ms <= LONGEST_TIME
}

/** A misspelt option would do nothing, and nobody would know. */
function checkNames(where: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid(`${where} must be of ${known.join(', ')}`, unknown)
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw invalid(`${name} must be one of ${choices.join(', ')}`, value)
}

function invalid(what: string, came: unknown): PromptError {
  const shown = typeof came === 'string' ? JSON.stringify(came) : String(came)
  return new PromptError('invalid-options', `${what}, not ${shown}.`)
}
