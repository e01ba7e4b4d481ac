import { PromptError } from '../../errors.js'
import type { Change } from './change-file.js'
import { codeOf } from './failures.js'
import type { Folder } from './folder.js'
import { sweepLeftovers } from './leftovers.js'
import { type Held, withLock } from './lock.js'
import type { Work } from './operations.js'

const noLock: Held = { *confirm() {} }

function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')
}

/**
 * Makes a change while no other process that uses this library changes the same file. Before the first change in a
 * folder what killed processes left there is removed.
 *
 * @param name Of the file, in the folder.
 * @throws PromptError `locked`
 */
export function* underLock<T>(
  { store, path, verb }: Change,
  folder: Folder,
  name: string,
  work: (lock: Held) => Work<T>,
): Work<T> {
  const key = `${folder.stat.dev}:${folder.stat.ino}`
  if (!store.swept.has(key)) {
    store.swept.add(key)
    yield* sweepLeftovers(folder)
  }
  let begun = false
  try {
    return yield* withLock(folder, name, store.lockTimeout, (lock) => {
      begun = true
      return work(lock)
    })
  } catch (error) {
    // In a folder that may not be changed a file may still be added to, and nobody like us can replace it.
    if (!begun && verb === 'append' && isForbidden(error)) return yield* work(noLock)
    if (!(error instanceof PromptError) || error.code !== 'locked') throw error
    throw new PromptError('locked', error.message, { data: { ...error.data, path, operation: verb } })
  }
}
