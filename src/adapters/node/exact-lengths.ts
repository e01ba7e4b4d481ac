import type { FileReading, FileSnapshot } from '../../ports/file-system.js'
import { abortable } from '../../workspace/abortable.js'
import { boundedCache, type Known } from './cache.js'
import { countText, type Progress, uncounted } from './count-text.js'
import { run } from './drivers.js'
import { openInside } from './open-inside.js'
import { close, fstat, type Work } from './operations.js'
import type { Store } from './read-file.js'
import { isSettled, keyOf, sameKey } from './stat-key.js'

export interface ExactLengths {
  /**
   * The same readings, with exact lengths as far as they are known or can be counted in time. Rejects only with the
   * reason of the signal.
   *
   * @param ms For all of them together.
   */
  of(readings: readonly FileReading[], ms: number, signal: AbortSignal | undefined): Promise<readonly FileReading[]>
}

/** A count that goes on for as long as somebody waits for it, and then stops where it is. */
interface Count {
  waiting: number
  /** `undefined`: it was stopped, or what was to be counted is no longer there. */
  readonly result: Promise<FileSnapshot | undefined>
}

/**
 * Counts the files whose length is an estimate, one after another, without blocking and never beyond the time that a
 * reader has. How far a count came is kept under the key of the file, so the next reader counts on from there, and an
 * unchanged file is counted once.
 */
export function exactLengths(store: Store): ExactLengths {
  const running = new Map<string, Count>()
  const progress = boundedCache<Progress>({ entries: 256, units: 0, unitsOf: () => 0 })

  function start(path: string, known: Known<FileReading>, snapshot: FileSnapshot): Count {
    const goesOn = () => count.waiting > 0
    const result = run(counted(path, known, snapshot, goesOn), undefined).catch(() => undefined)
    const count: Count = { waiting: 0, result }
    running.set(path, count)
    void result.then(() => running.delete(path))
    return count
  }

  function* counted(
    path: string,
    known: Known<FileReading>,
    snapshot: FileSnapshot,
    goesOn: () => boolean,
  ): Work<FileSnapshot | undefined> {
    const now = Date.now()
    const opened = yield* openInside(store.root, known.at, 'file', store.confirmation)
    if (opened.state !== 'open') return undefined
    const { fd, stat } = opened
    try {
      if (!sameKey(stat, known.key)) return undefined
      const before = progress.get(path)
      const from = before?.settled && sameKey(before.key, stat) ? before.value : uncounted
      const value = yield* countText(fd, from, goesOn)
      const { at, isLink } = known
      progress.set(path, { at, isLink, key: keyOf(stat), settled: isSettled(stat, now), value })
      if (!value.ended || !sameKey(yield* fstat(fd), stat)) return undefined
      const exact = withLength(snapshot, value)
      if (store.files.get(path) === known) store.files.set(path, { ...known, value: exact })
      return exact
    } finally {
      yield* close(fd)
    }
  }

  async function exactOr(estimate: FileSnapshot, late: Late, signal: AbortSignal | undefined): Promise<FileReading> {
    const { path, version } = estimate
    const known = store.files.get(path)
    // Another reader may have come first, and may have found another text.
    if (known?.value.state !== 'present' || known.value.version !== version) return estimate
    if (!known.value.approximate) return known.value
    const count = running.get(path) ?? start(path, known, known.value)
    count.waiting++
    try {
      const exact = await abortable(Promise.race([count.result, late.promise]), signal)
      return exact?.version === version ? exact : estimate
    } finally {
      count.waiting--
    }
  }

  return {
    async of(readings, ms, signal) {
      const late = lateAfter(ms)
      try {
        const exact: FileReading[] = []
        for (const reading of readings) {
          exact.push(isEstimate(reading) && !late.isOver() ? await exactOr(reading, late, signal) : reading)
        }
        return exact
      } finally {
        late.cancel()
      }
    },
  }
}

export function isEstimate(reading: FileReading): reading is FileSnapshot {
  return reading.state === 'present' && reading.approximate === true
}

function withLength({ approximate, ...snapshot }: FileSnapshot, { units, valid }: Progress): FileSnapshot {
  return Object.freeze<FileSnapshot>({ ...snapshot, length: units, ...(!valid && { lossy: true }) })
}

interface Late {
  readonly promise: Promise<undefined>
  isOver(): boolean
  cancel(): void
}

function lateAfter(ms: number): Late {
  let isOver = false
  let cancel = () => {}
  const promise = new Promise<undefined>((resolve) => {
    const timer = setTimeout(() => {
      isOver = true
      resolve(undefined)
    }, ms)
    cancel = () => clearTimeout(timer)
  })
  return { promise, isOver: () => isOver, cancel: () => cancel() }
}
