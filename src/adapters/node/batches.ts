/** A batch goes out when nothing came for so long … (ms) */
const QUIET = 100
/** … and at the latest so long after its first path, however steady the stream (ms). */
const LONGEST = 1_000

export interface Batches {
  add(path: string): void
  /** What is waiting is dropped. */
  stop(): void
}

/**
 * Gathers paths, and hands them on each once, sorted. Whoever then reads finds the last of several quick changes, for
 * `QUIET` is longer than any editor takes from the first step of a save to the last. Keeps no process alive.
 */
export function batches(handOn: (paths: readonly string[]) => void): Batches {
  const waiting = new Set<string>()
  let quiet: NodeJS.Timeout | undefined
  let longest: NodeJS.Timeout | undefined

  function stop() {
    clearTimeout(quiet)
    clearTimeout(longest)
    quiet = longest = undefined
    waiting.clear()
  }
  function send() {
    const paths = Object.freeze([...waiting].sort())
    stop()
    handOn(paths)
  }
  return {
    add(path) {
      waiting.add(path)
      quiet = quiet?.refresh() ?? setTimeout(send, QUIET).unref()
      longest ??= setTimeout(send, LONGEST).unref()
    },
    stop,
  }
}
