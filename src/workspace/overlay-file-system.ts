import { PromptError } from '../errors.js'
import type { FileSystem } from '../ports/file-system.js'
import { describe, refuse } from '../validation.js'
import { abortable } from './abortable.js'
import { type Root, type Roots, readRoots } from './overlay-roots.js'
import { overlayWriters } from './overlay-writers.js'
import { type CertainlyOf, fileSystemProblems, unreadable } from './store-answers.js'

/** An overlay can write what its first root can; where the type of that says so, so does this. */
type OverlayFileSystem<First extends FileSystem = FileSystem> = FileSystem &
  Required<Pick<FileSystem, 'close'>> &
  CertainlyOf<First, 'write' | 'append' | 'remove'>

/**
 * Several file systems as one: each file is that of the first root that has it, so what several agents share lies once
 * and each may have its own instead.
 *
 * - Reading: each root is asked at most once, in order and within the one deadline, for what is missing in those before
 *   it. A file that its root cannot read is unreadable; no file of a lower root stands in for it. Versions and ids
 *   begin with the root's index, `1:4f…`, so the same text in two roots has two versions. An unchanged file gives the
 *   very same snapshot object as long as its root does.
 * - `list`: the names of all roots. It is there only if every root can list: where there is a listing, notes are looked
 *   for by that alone, and those of a root that cannot list would be lost.
 * - `write`, `append`, `remove`: there if the first root has them; no other root is ever written. A write based on a
 *   version of a lower root creates the file in the first. An append copies the file up first. Removing a file of the
 *   first lets a lower one show again; a lower one cannot be removed. Lower roots are compared just before the write
 *   and not in one step with it.
 * - `watch`: hints from all roots that give any; there if one does.
 * - `close`: closes all; where several fail, the first error is thrown.
 *
 * @param roots From the one that wins down. The list is read once and not kept.
 * @throws PromptError `invalid-options` for an empty list or a root that is no file system. The writing methods throw
 * `conflict` with `data: { path, expected, current }` in the overlay's versions; `capability-missing` for removing a
 * lower file by its version, and for an append that the first root, which cannot write, would have to copy up; `io` or
 * `outside-root` where a file must be compared or copied that cannot be read whole; and what the first root throws.
 * @example
 * const files = overlayFileSystem([nodeFileSystem('./agents/ines'), nodeFileSystem('./shared')])
 */
export function overlayFileSystem<Roots extends readonly FileSystem[] | readonly [FileSystem]>(
  roots: Roots,
): OverlayFileSystem<Roots[0]>
export function overlayFileSystem(roots: readonly FileSystem[]): OverlayFileSystem {
  const all = checkedRoots(roots)
  const files = all.map((root) => root.files)
  return {
    name: `overlay(${files.map(({ name }) => name).join(', ')})`,

    async read(paths, options) {
      const found = await readRoots(all, paths, options)
      return paths.map((path) => found.get(path)?.reading ?? unreadable(path, 'no root was asked for it'))
    },

    ...(files.every(({ list }) => list !== undefined) && {
      async list(directory, options) {
        const signal = options?.signal
        signal?.throwIfAborted()
        const lists = Promise.all(files.map((root) => namesIn(root, directory, options)))
        return [...new Set((await abortable(lists, signal)).flat())]
      },
    }),

    ...overlayWriters(all),

    ...(files.some(({ watch }) => watch !== undefined) && {
      watch(listener) {
        const stops: (() => void)[] = []
        try {
          for (const root of files) stops.push(root.watch?.(listener) ?? (() => {}))
        } catch (error) {
          const rethrow = () => {
            throw error
          }
          tryAll([rethrow, ...stops])
        }
        // Each once: a second call is no call.
        return () => tryAll(stops.splice(0))
      },
    }),

    async close() {
      const outcomes = await Promise.allSettled(files.map(async (root) => root.close?.()))
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}

function checkedRoots(roots: readonly FileSystem[]): Roots {
  const where = 'overlayFileSystem'
  if (!Array.isArray(roots)) refuse(where, [{ path: 'roots', message: `expected a list, got ${describe(roots)}` }])
  refuse(
    where,
    roots.flatMap((root, index) => fileSystemProblems(`roots[${index}]`, root)),
  )
  const [first, ...lower] = roots.map((files, index): Root => ({ index, files, shown: new WeakMap() }))
  if (first !== undefined) return [first, ...lower]
  const message = 'overlayFileSystem: roots: expected at least one file system, got an empty list'
  throw new PromptError('invalid-options', message)
}

async function namesIn(
  files: FileSystem,
  directory: string,
  options: { readonly signal?: AbortSignal } | undefined,
): Promise<readonly string[]> {
  const names: unknown = await files.list?.(directory, options)
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names
  const message = `${files.name} was to list the names in ${JSON.stringify(directory)} and gave ${describe(names)}.`
  throw new PromptError('io', message, { data: { directory } })
}

/** Runs each task, whatever became of the others, and throws the first error. */
function tryAll(tasks: readonly (() => void)[]): void {
  const errors: unknown[] = []
  for (const task of tasks) {
    try {
      task()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
