import type { FileReading, FileSystem } from '../ports/file-system.js'
import { describe, refuse } from '../validation.js'
import { normalizePath } from './paths.js'
import { createPins } from './pins.js'
import { answersByPath, type CertainlyOf, fileSystemProblems, frozenReading, unreadable } from './store-answers.js'

/** A file system with what the given one has: where its type says that `write` is there, it is here as well. */
export type PinnedFileSystem<Files extends FileSystem = FileSystem> = FileSystem &
  CertainlyOf<Files, keyof FileSystem> &
  Refresh

interface Refresh {
  /**
   * Forgets what was seen, so that the next read asks again. Of a file: that file and the listing of its folder; of a
   * folder: its listing and all below it. Default: everything. An answer that is still under way is not kept.
   *
   * @throws PromptError `invalid-options` for anything but a list of paths.
   */
  refresh(paths?: readonly string[]): void
}

/**
 * Freezes a workspace as it was first seen, file by file, until `refresh`: for a conversation whose prompt is to stay
 * the same whatever is edited meanwhile. Without it every turn is live.
 *
 * A file stays as first read, be it there or missing, and a folder as first listed; a file that is deleted stays as
 * well. What a fault brought is not kept: an unreadable or stale reading and a rejected call are tried again next time.
 * Only what was not seen yet is asked for, in one read; where nothing is left, the store is not called at all. Every
 * text seen is kept in memory until it is refreshed.
 *
 * `write`, `append` and `remove`, each there if the store has it, reach the store, and the file and the folders it lies
 * in are seen anew after them, failed ones included: a writer sees its own writes. So where the prompt is to stay
 * frozen, give the agent the pinned file system and the tools the live one. `watch` and `close` are the store's own.
 *
 * @throws PromptError `invalid-options` for something that is no file system.
 * @example
 * const live = nodeFileSystem('./workspace')
 * const pinned = pinFiles(live)
 * const agent = defineAgent({ files: pinned })
 * pinned.refresh(['USER.md']) // the next turn reads it again
 */
export function pinFiles<Files extends FileSystem>(files: Files): PinnedFileSystem<Files>
export function pinFiles(files: FileSystem): PinnedFileSystem {
  refuse('pinFiles', fileSystemProblems('', files))
  const { list, write, append, remove, watch, close } = files
  const readings = createPins<FileReading>((reading) => reading.state === 'missing' || isGood(reading))
  const listings = createPins<readonly string[]>(Array.isArray)

  function forget(path: string): void {
    readings.forget((key) => isAtOrBelow(path, key))
    // A new file may be the first of its folder, whose name is then new in the folder above.
    listings.forget((key) => isAtOrBelow(path, key) || isAtOrBelow(key, path))
  }
  /** Forgets after the change: what was asked for while it went on may show either side of it. */
  async function changing<T>(path: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } finally {
      forget(normalizePath(path))
    }
  }

  return {
    name: `pinned(${files.name})`,

    async read(paths, options) {
      options?.signal?.throwIfAborted()
      const pinned = new Map(paths.map((path) => [normalizePath(path), readings.get(normalizePath(path))]))
      const open = [...pinned.keys()].filter((key) => pinned.get(key) === undefined)
      const asked = open.length > 0 ? await readings.ask(open, () => readAll(files, open, options)) : pinned
      return paths.map((path) => namedAs(path, pinned.get(normalizePath(path)) ?? asked.get(normalizePath(path))))
    },

    ...(list !== undefined && {
      async list(directory, options) {
        options?.signal?.throwIfAborted()
        const key = folderOf(directory)
        const pinned = listings.get(key)
        if (pinned !== undefined) return pinned
        const names = async () => new Map([[key, fixedNames(await list.call(files, directory, options))]])
        // What came, even if it is none: an empty list would hide that the store failed.
        return (await listings.ask([key], names)).get(key) as readonly string[]
      },
    }),

    ...(write !== undefined && {
      write: (path, text, options) => changing(path, () => write.call(files, path, text, options)),
    }),
    ...(append !== undefined && { append: (path, text) => changing(path, () => append.call(files, path, text)) }),
    ...(remove !== undefined && {
      remove: (path, options) => changing(path, () => remove.call(files, path, options)),
    }),
    ...(watch !== undefined && { watch: (listener) => watch.call(files, listener) }),
    ...(close !== undefined && { close: () => close.call(files) }),

    refresh(paths) {
      if (paths === undefined) return forget('')
      const isList = Array.isArray(paths) && paths.every((path) => typeof path === 'string')
      if (!isList) refuse('refresh', [{ path: 'paths', message: `expected a list of paths, got ${describe(paths)}` }])
      for (const path of paths) forget(folderOf(path.replace(/\/$/, '')))
    },
  }
}

/** The readings of these paths, such that the store can no longer change them. */
async function readAll(
  files: FileSystem,
  paths: readonly string[],
  options: { readonly signal?: AbortSignal } | undefined,
): Promise<ReadonlyMap<string, FileReading>> {
  const answer = await files.read([...paths], options)
  return new Map([...answersByPath(files, paths, answer)].map(([path, reading]) => [path, fixed(reading)]))
}

function fixed(reading: FileReading): FileReading {
  const sound = frozenReading(reading)
  // The store's own object, if it will stay as it is: what is derived from it elsewhere need not be made again.
  return sound.state === 'present' && Object.isFrozen(reading) ? reading : sound
}

/** What is no list is left for the caller to refuse. */
function fixedNames(names: readonly string[]): readonly string[] {
  return Array.isArray(names) ? Object.freeze([...names]) : names
}

function isGood(reading: FileReading): boolean {
  return reading.state === 'present' && reading.stale !== true
}

/** An answer bears the name that was asked for. */
function namedAs(path: string, reading: FileReading | undefined): FileReading {
  if (reading === undefined) return unreadable(path, 'it was not asked for')
  return reading.path === path ? reading : Object.freeze({ ...reading, path })
}

function folderOf(directory: string): string {
  const path = normalizePath(directory)
  return path === '.' ? '' : path
}

function isAtOrBelow(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
