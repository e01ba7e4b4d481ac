import type { FileSystem } from '../../ports/file-system.js'
import { defaultWithin, lastGood } from '../../workspace/last-good.js'
import type { Writers } from './writers.js'

/**
 * The methods of a file system that read, and those that leave a known state, with its last good texts.
 *
 * @param countWithin In ms: counting the lengths of long files ends in time, and is no failure.
 */
export function withLastGood(
  { read, write, remove }: Pick<FileSystem, 'read'> & Writers,
  countWithin: number,
): Pick<Writers, 'write' | 'remove'> & Pick<FileSystem, 'read'> {
  const kept = lastGood(Math.max(defaultWithin, countWithin + 100))
  return {
    read: (paths, options) => kept.read(paths, (own) => read(paths, own), options?.signal),

    async write(path, text, options) {
      const written = await write(path, text, options)
      kept.changed(path, written)
      return written
    },

    async remove(path, options) {
      await remove(path, options)
      kept.changed(path, { state: 'missing', path })
    },
  }
}
