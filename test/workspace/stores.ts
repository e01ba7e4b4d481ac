import { memoryFileSystem, overlayFileSystem, pinFiles } from 'soulprompt'
import type { FileReading, FileSnapshot, FileSystem } from '../../src/ports/file-system.js'

export const present = async (files: FileSystem, path: string): Promise<FileSnapshot> => {
  const [reading] = await files.read([path])
  if (reading?.state === 'present') return reading
  throw new Error(`${path} is ${JSON.stringify(reading)}`)
}
export const fate = (reading: FileReading | undefined) =>
  reading?.state === 'present' ? reading.text : reading?.state === 'unreadable' ? reading.reason : reading?.state
export const fates = async (files: FileSystem, ...paths: readonly string[]) => (await files.read(paths)).map(fate)
export const failure = (promise: Promise<unknown> | undefined): Promise<unknown> =>
  (promise ?? Promise.reject(new Error('no such capability'))).then(
    () => undefined,
    (error: unknown) => error,
  )

/** Two roots in memory and what their `read` was asked. */
export function twoRoots(own: Readonly<Record<string, string>>, shared: Readonly<Record<string, string>>) {
  const first = memoryFileSystem(own, { name: 'own' })
  const second = memoryFileSystem(shared, { name: 'shared' })
  const asked: (readonly string[])[] = []
  const watched = (files: FileSystem): FileSystem => ({
    ...files,
    read: (paths, options) => {
      asked.push([files.name, ...paths])
      return files.read(paths, options)
    },
  })
  return { first, second, asked, files: overlayFileSystem([watched(first), watched(second)]) }
}

export const empty: FileSystem = {
  name: 'empty',
  read: async (paths) => paths.map((path) => ({ state: 'missing', path })),
}

/** A store in memory and what it was asked. */
export function watched(texts: Readonly<Record<string, string>> = {}) {
  const live = memoryFileSystem(texts)
  const asked: (readonly string[])[] = []
  const store: FileSystem = {
    ...live,
    read: (paths, options) => {
      asked.push(paths)
      return live.read(paths, options)
    },
    list: (directory, options) => {
      asked.push([`${directory}/`])
      return live.list(directory, options)
    },
  }
  return { live, asked, pinned: pinFiles(store) }
}

/** A store whose calls are answered by hand: with what it held when it was asked. */
export function slow(texts: Readonly<Record<string, string>>) {
  const live = memoryFileSystem(texts)
  const pending: (() => void)[] = []
  const later = <T>(answer: Promise<T>) => new Promise<T>((resolve) => pending.push(() => resolve(answer)))
  const pinned = pinFiles({
    ...live,
    read: (paths) => later(live.read(paths)),
    list: (directory) => later(live.list(directory)),
  })
  /** Answers the call that was made first, second … of those that wait. */
  const answer = (index: number) => pending.splice(index, 1)[0]?.()
  return { live, pinned, answer, waiting: () => pending.length }
}

export const sorted = async (names: Promise<readonly string[]> | undefined) =>
  [...((await names) ?? ['no listing'])].sort()
