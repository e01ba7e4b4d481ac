import type { FileReading, FileSnapshot, MissingFile, UnreadableFile } from '../ports/file-system.js'
import { normalizePath } from './paths.js'
import { recentValues } from './recent-values.js'

/** What a store was last seen to hold, and what stands in for it while it fails. */
export interface SeenFiles {
  /** @param call The number of the call that this answers: what a later one saw stays. */
  learn(reading: FileReading, call: number): void
  hasText(path: string): boolean
  /** The same readings, with the last good texts in the place of those that failed. */
  mend(readings: readonly FileReading[]): readonly FileReading[]
}

interface Seen {
  readonly call: number
  /** `undefined`: it is there and not to be read, which is no fault of the store. */
  readonly last: FileSnapshot | MissingFile | undefined
  /** Since it was seen it could not be read. */
  readonly isFailing: boolean
  /** Made once and handed out again: what is derived from a snapshot is kept by its identity. */
  readonly stale?: Stale
}

interface Stale {
  readonly reason: UnreadableFile['reason']
  readonly detail: string | undefined
  readonly snapshot: FileSnapshot
}

/** @param fixed The snapshot such that nobody can change it any more; `undefined`: it cannot be kept. */
export function seenFiles(fixed: (snapshot: FileSnapshot) => FileSnapshot | undefined): SeenFiles {
  const seen = recentValues<Seen>({ entries: 256, units: 32 * 2 ** 20, unitsOf: ({ last }) => unitsOf(last) })

  function see(path: string, last: Seen['last'], call: number): void {
    const key = normalizePath(path)
    const before = seen.get(key)
    if (before !== undefined && before.call > call) return
    const isSame = before !== undefined && sameText(before.last, last)
    seen.set(key, isSame ? { ...before, call, isFailing: false } : { call, last, isFailing: false })
  }

  function standIn(failed: UnreadableFile): FileSnapshot | undefined {
    const { path } = failed
    const key = normalizePath(path)
    const known = seen.get(key)
    if (known?.last?.state !== 'present') return undefined
    const stale = isSameFault(known, failed) ? known.stale : staleOf(known.last, failed)
    seen.set(key, { ...known, isFailing: true, stale })
    return stale.snapshot.path === path ? stale.snapshot : Object.freeze({ ...stale.snapshot, path })
  }

  const stateOf = (path: string) => seen.get(normalizePath(path))?.last?.state

  return {
    learn(reading, call) {
      const { path } = reading
      if (reading.state === 'present') {
        const snapshot = reading.stale ? undefined : fixed(reading)
        if (snapshot !== undefined) see(path, snapshot, call)
      } else if (reading.state === 'missing') see(path, { state: 'missing', path }, call)
      else if (!isFault(reading)) see(path, undefined, call)
    },

    hasText: (path) => stateOf(path) === 'present',

    mend(readings) {
      if (!readings.some(isFault)) return readings
      // A file must not seem to be there, and hide another one, because nothing at all could be read. What is missing
      // says nothing of a failure, so a text has to stand in that does.
      const keepsMissing = readings.every(isFault) && readings.some(({ path }) => stateOf(path) === 'present')
      return readings.map((reading) => {
        if (!isFault(reading)) return reading
        const { path } = reading
        if (keepsMissing && stateOf(path) === 'missing') return Object.freeze({ state: 'missing', path })
        return standIn(reading) ?? reading
      })
    },
  }
}

/** Something that passes, and that nobody meant. A withdrawn permission is meant: its text is not to be shown. */
function isFault(reading: FileReading): reading is UnreadableFile {
  return reading.state === 'unreadable' && (reading.reason === 'io' || reading.reason === 'too-slow')
}

/** A store may put a time or a number into its message: for as long as it fails, the first one holds. */
function isSameFault(known: Seen, { reason, detail }: UnreadableFile): known is Seen & { readonly stale: Stale } {
  const { stale, isFailing } = known
  return stale !== undefined && stale.reason === reason && (isFailing || stale.detail === detail)
}

function staleOf(last: FileSnapshot, { reason, detail }: UnreadableFile): Stale {
  const why = detail ?? (reason === 'io' ? 'the store failed this time' : 'the store took too long this time')
  return { reason, detail, snapshot: Object.freeze({ ...last, stale: true, staleReason: why }) }
}

function sameText(a: Seen['last'], b: Seen['last']): boolean {
  if (a === b) return true
  if (a?.state !== 'present' || b?.state !== 'present') return false
  return a.version === b.version && a.id === b.id && a.length === b.length && a.text === b.text
}

function unitsOf(last: Seen['last']): number {
  return last?.state === 'present' ? last.text.length : 0
}
