import type { FileReading } from '../../ports/file-system.js'
import type { AskedPaths } from './asked-paths.js'
import { batches } from './batches.js'
import type { Cache } from './cache.js'
import type { Way } from './folder-events.js'
import { emitWarning } from './warnings.js'
import { type WatchContext, type WatchedFolder, watchFolder } from './watched-folder.js'

/** How often it is seen which folder stands where, in ms: chokidar says nothing more once another one was put there. */
const LOOK_EVERY = 1_000

export interface WatchedStore {
  /** The name of the file system, for warnings. */
  readonly name: string
  /** The root as it was given, absolute. */
  readonly given: string
  readonly asked: AskedPaths
  readonly files: Cache<FileReading>
  readonly way: Way
}

/**
 * Watches every folder that was asked for, also while this runs.
 *
 * @param tell Called with batches of paths; never once this is stopped.
 * @returns The way to stop; it resolves when nothing is left open.
 */
export function watchFolders(store: WatchedStore, tell: (paths: readonly string[]) => void): () => Promise<void> {
  const folders = new Map<string, WatchedFolder>()
  const batch = batches(tell)
  const warned = new Set<string>()
  let isStopped = false
  let isWanted = false
  let round: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const context: WatchContext = {
    ...store,
    hint: (path) => {
      if (!isStopped) batch.add(path)
    },
    lookSoon() {
      isWanted = true
      if (!isStopped) round ??= lookAround()
    },
    warn(message, cause) {
      if (isStopped || warned.has(message)) return
      warned.add(message)
      emitWarning(`${message} (${store.name}).`, cause)
    },
  }

  async function lookAround() {
    clearTimeout(timer)
    while (isWanted && !isStopped) {
      isWanted = false
      for (const name of store.asked.folders) if (!folders.has(name)) folders.set(name, watchFolder(context, name))
      await Promise.all(Array.from(folders.values(), (folder) => folder.look()))
    }
    round = undefined
    if (!isStopped) timer = setTimeout(context.lookSoon, LOOK_EVERY).unref()
  }

  const closeAll = () => Promise.all(Array.from(folders.values(), (folder) => folder.close()))

  context.lookSoon()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    batch.stop()
    await closeAll()
    await round
    await closeAll()
  }
}
