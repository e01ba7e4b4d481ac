import { dirname, parse, posix } from 'node:path'
import type { ChokidarOptions } from 'chokidar'
import { canMatter } from './asked-paths.js'

/** `system`: the system tells. `polling`: every file is looked at once a second. */
export type Way = 'system' | 'polling'

/**
 * Only Linux is asked: chokidar leaves the watchers that keep no process alive without a handler of errors, and on macOS
 * and Windows some come late (EMFILE, or EPERM for a folder that was deleted) and would end the process.
 */
export const defaultWay: Way = process.platform === 'linux' ? 'system' : 'polling'

export interface EventHandlers {
  /** From now on nothing is missed. */
  ready(): void
  /** A file of this name may have changed; `undefined`: any of them. */
  changed(name: string | undefined): void
  /** The folder itself may have gone: then nothing more will be heard of it. */
  gone(): void
  failed(error: unknown): void
}

/**
 * What happens in one folder, by chokidar, which is loaded only now. Keeps no process alive.
 *
 * @param real The real path of the folder.
 * @returns The way to stop.
 * @throws Error for a folder that chokidar cannot name.
 */
export async function openFolderEvents(real: string, way: Way, on: EventHandlers): Promise<() => Promise<void>> {
  if (process.platform !== 'win32' && real.includes('\\')) throw new Error(`${real} holds a backslash`)
  const { watch } = await import('chokidar')
  const watcher = watch(real, optionsFor(real, way))
  const changed = (path: string) => {
    const { dir, base } = parse(path)
    if ((dir === '' || dir === real) && canMatter(base)) on.changed(base)
  }
  watcher.on('ready', on.ready)
  watcher.on('error', on.failed)
  // What chokidar hears itself. What it makes of that is throttled at the leading edge: one event in 50 ms, the first.
  watcher.on('raw', (event, path: unknown) => {
    if (typeof path !== 'string') on.changed(undefined)
    else if (way === 'system' && event === 'rename' && path === parse(real).base) on.gone()
    else changed(path)
  })
  watcher.on('all', (event, path) => {
    if (event === 'unlinkDir' && path === real) on.gone()
    else if (dirname(path) === real) changed(path)
  })
  return () => watcher.close()
}

function optionsFor(real: string, way: Way): ChokidarOptions {
  // Everywhere in chokidar the separator is `/`.
  const folder = real.replaceAll('\\', '/')
  const isWanted = (path: string) => way === 'polling' && posix.dirname(path) === folder && canMatter(path)
  return {
    depth: 0,
    ignoreInitial: true,
    persistent: false,
    followSymlinks: false,
    atomic: false,
    usePolling: way === 'polling',
    interval: 1_000,
    binaryInterval: 1_000,
    // One watch, that of the folder, tells of every file in it; chokidar would take another for each. Nor may it turn to
    // the parent, as it does where the folder is gone.
    ignored: (path) => path !== folder && !isWanted(path),
  }
}
