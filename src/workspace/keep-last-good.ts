import type { FileReading, FileSystem } from '../ports/file-system.js'
import { describe, type Problem, refuse } from '../validation.js'
import { defaultWithin, lastGood } from './last-good.js'
import { soundReading } from './sound-reading.js'
import { answersByPath, type CertainlyOf, fileSystemProblems, frozenSnapshot } from './store-answers.js'

/** Timers know no more ms. */
const LONGEST_WITHIN = 2 ** 31 - 1

export interface KeepLastGoodOptions {
  /**
   * How long a read may take, in ms, before the last good texts are given instead. Default 900, so that it ends within
   * the two seconds of a build, also behind a slow listing; a host with a shorter `deadlines.files` sets it lower.
   */
  readonly within?: number
}

/** A file system with what the given one has: where its type says that `write` is there, it is here as well. */
export type KeptFileSystem<Files extends FileSystem = FileSystem> = FileSystem & CertainlyOf<Files, keyof FileSystem>

/**
 * Shows the last text that was read of a file for as long as the store fails, so that one fault does not cost an agent
 * its persona. Every read asks the store first; only where that fails does an older text stand in. It is marked
 * `stale`, with `staleReason`, and a build says so with `file-stale` and in its sources.
 *
 * A store fails where a file is unreadable by `io` or `too-slow`, where `read` rejects, gives no sound answer, or takes
 * longer than `within`. A file that is `missing`, `outside-root`, `binary`, `not-a-file` or refused by `permission` is
 * reported as it is, and its older text is forgotten: somebody may have meant that. Where everything failed, a file that
 * was missing before is still missing. Of what was never read nothing can stand in, and a store that is late then has
 * all the time that the caller gives it.
 *
 * A read that was late goes on (at most 8 of them), and what it brings stands in the next time. At most 256 files and
 * 32 Mi UTF-16 units are kept; those go first that were longest not seen. A failed listing is not mended.
 *
 * A snapshot has the version of its text, stale or not, so that a write with it is an ordinary compare-and-set. What is
 * written here counts as seen, and what is removed as missing. `watch` and `close` are the store's own.
 *
 * @throws PromptError `invalid-options` for something that is no file system, or a `within` that is no time.
 * @example
 * const agent = defineAgent({ files: keepLastGood(database, { within: 300 }) })
 */
export function keepLastGood<Files extends FileSystem>(
  files: Files,
  options?: KeepLastGoodOptions,
): KeptFileSystem<Files>
export function keepLastGood(files: FileSystem, options: KeepLastGoodOptions = {}): KeptFileSystem {
  refuse('keepLastGood', [...fileSystemProblems('', files), ...optionProblems(options)])
  const { within = defaultWithin } = options
  const { list, write, append, remove, watch, close } = files
  const kept = lastGood(within, (snapshot) => {
    const sound = Object.isFrozen(snapshot) ? snapshot : frozenSnapshot(snapshot)
    return sound.state === 'present' ? sound : undefined
  })

  return {
    name: `lastGood(${files.name})`,

    read: (paths, options) =>
      kept.read(paths, async (options) => soundReadings(files, paths, options), options?.signal),

    ...(list !== undefined && { list: (directory, options) => list.call(files, directory, options) }),

    ...(write !== undefined && {
      async write(path, text, options) {
        const written = await write.call(files, path, text, options)
        if (soundReading(written).state === 'present') kept.changed(path, written)
        return written
      },
    }),
    ...(append !== undefined && { append: (path, text) => append.call(files, path, text) }),
    ...(remove !== undefined && {
      async remove(path, options) {
        await remove.call(files, path, options)
        kept.changed(path, { state: 'missing', path })
      },
    }),
    ...(watch !== undefined && { watch: (listener) => watch.call(files, listener) }),
    ...(close !== undefined && { close: () => close.call(files) }),
  }
}

/** The store's own snapshots where they are sound: what is derived from them is kept by their identity. */
async function soundReadings(
  files: FileSystem,
  paths: readonly string[],
  options: { readonly signal: AbortSignal },
): Promise<readonly FileReading[]> {
  const byPath = answersByPath(files, paths, await files.read([...paths], options))
  return paths.flatMap((path) => {
    const reading = byPath.get(path)
    if (reading?.state !== 'present') return reading ?? []
    const sound = soundReading(reading)
    return sound.state === 'present' ? reading : sound
  })
}

function optionProblems(options: unknown): readonly Problem[] {
  if (typeof options !== 'object' || options === null) {
    return [{ path: 'options', message: `expected an object, got ${describe(options)}` }]
  }
  const within: unknown = Reflect.get(options, 'within')
  const isTime = typeof within === 'number' && within > 0 && within <= LONGEST_WITHIN
  if (within === undefined || isTime) return []
  const message = `expected ms over 0 and at most ${LONGEST_WITHIN}, got ${describe(within)}`
  return [{ path: 'within', message }]
}
