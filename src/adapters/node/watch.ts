import { PromptError } from '../../errors.js'
import { emitWarning } from './warnings.js'
import { type WatchedStore, watchFolders } from './watch-folders.js'

type Listener = (paths: readonly string[]) => void

export interface Watching {
  /**
   * Calls the listener with the paths of files that may have changed, whoever changed them: relative, sorted, each once,
   * some 100 ms after the last of several quick changes and at least once a second while they go on. Returns the way to
   * stop, after which the listener is not called again; it may be called twice.
   *
   * Told of are `.md`, `.txt`, `.json`, `.jsonl`, `.yaml`, `.yml` and `.toml` files in the workspace itself, in `memory/`
   * and in every other folder (64 in all) in which `read` was asked for one. A change made right after the call is
   * told; a file that was not read before and is not two seconds old may be told of as well. Of a folder that appears
   * or is replaced, every file is told, within a second or two; a change in the target of a link, within the same time.
   * Nothing beyond a link that leads out of the workspace is watched.
   *
   * These are hints: a file may have changed without one, as on a network disk that another machine writes to, and may
   * be unchanged after one. `read` asks the disk each time and needs none. On Linux the system tells of changes, with
   * one watch for a folder; elsewhere, and where there are no more watches to be had (a warning of the process says
   * so), the files are looked at once a second. An error of a listener is a warning of the process too.
   *
   * Keeps no process alive.
   *
   * @throws PromptError `invalid-options` for a listener that is no function.
   * @example
   * const stop = files.watch((paths) => console.log('changed:', ...paths))
   */
  watch(listener: Listener): () => void
  /** Stops every watch, and resolves when nothing of them is left. Reading goes on, and there may be other watches. */
  close(): Promise<void>
}

/** One set of watched folders for any number of listeners: from the first that comes until the last that goes. */
export function watching(store: WatchedStore): Watching {
  // An object for each, for the same function may be given twice.
  const listeners = new Set<{ readonly tell: Listener }>()
  const ending = new Set<Promise<void>>()
  let stopFolders: (() => Promise<void>) | undefined

  function tellAll(paths: readonly string[]) {
    for (const listener of [...listeners]) {
      // One that was told before it may have stopped it.
      if (listeners.has(listener)) tellSafely(store.name, listener.tell, paths)
    }
  }

  function end() {
    const ended = stopFolders?.()
    stopFolders = undefined
    if (ended === undefined) return
    ending.add(ended)
    void ended.finally(() => ending.delete(ended))
  }

  return {
    watch(tell) {
      if (typeof tell !== 'function') {
        throw new PromptError('invalid-options', `The listener of watch must be a function, not ${typeof tell}.`)
      }
      const listener = { tell }
      listeners.add(listener)
      stopFolders ??= watchFolders(store, tellAll)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) end()
      }
    },
    async close() {
      listeners.clear()
      end()
      await Promise.all(ending)
    },
  }
}

/** An error of a listener, thrown or rejected with, is a warning of the process: there is no caller to be told. */
function tellSafely(name: string, tell: Listener, paths: readonly string[]): void {
  const warn = (error: unknown) => emitWarning(`A listener that watches ${name} failed.`, error)
  try {
    const result: unknown = tell(paths)
    if (result instanceof Promise) result.catch(warn)
  } catch (error) {
    warn(error)
  }
}
