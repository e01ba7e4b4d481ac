import { reasonOf } from '../diagnostics.js'
import type { FileReading, FileSnapshot, FileSystem } from '../ports/file-system.js'
import { abortable } from './abortable.js'
import type { SoundReading } from './sound-reading.js'
import { answersByPath, frozenReading, frozenSnapshot, unreadable } from './store-answers.js'

/** One of the file systems that lie over each other, with what was handed on of it. */
export interface Root {
  /** 0 is the first, the only one that is ever written. */
  readonly index: number
  readonly files: FileSystem
  readonly shown: WeakMap<FileSnapshot, Shown>
}

/** At least one: the first. */
export type Roots = readonly [Root, ...Root[]]

interface Shown {
  readonly text: string
  /** As the root itself says it. */
  readonly version: string
  readonly snapshot: FileSnapshot
}

export interface Found {
  readonly root: Root
  readonly reading: FileReading
}

type Options = { readonly signal?: AbortSignal }

/** The reading of each path, from the first root that does not say that it is missing. Each root is asked once. */
export async function readRoots(
  roots: readonly Root[],
  paths: readonly string[],
  options?: Options,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>()
  let open = [...new Set(paths)]
  for (const root of roots) {
    options?.signal?.throwIfAborted()
    if (open.length === 0) break
    const readings = await readRoot(root, open, options)
    for (const [path, reading] of readings) found.set(path, { root, reading })
    open = open.filter((path) => readings.get(path)?.state === 'missing')
  }
  return found
}

/** A root that fails has not said that its files are missing, so no file of another stands in for them. */
async function readRoot(
  root: Root,
  paths: readonly string[],
  options: Options | undefined,
): Promise<ReadonlyMap<string, FileReading>> {
  const { files } = root
  const signal = options?.signal
  try {
    const answer = await abortable(Promise.resolve(files.read([...paths], options)), signal)
    const readings = [...answersByPath(files, paths, answer)]
    return new Map(
      readings.map(([path, reading]) => [
        path,
        reading.state === 'present' ? show(root, reading) : frozenReading(reading),
      ]),
    )
  } catch (cause) {
    signal?.throwIfAborted()
    return new Map(paths.map((path) => [path, unreadable(path, `${files.name} failed: ${reasonOf(cause)}`, cause)]))
  }
}

/**
 * The root's snapshot under the overlay's version and id: the very same object for as long as the root gives the very
 * same. A store may reuse its objects, so text and version are looked at again.
 */
export function show({ index, shown }: Root, reading: FileSnapshot): SoundReading {
  const last = shown.get(reading)
  if (last !== undefined && last.text === reading.text && last.version === reading.version) return last.snapshot
  const sound = frozenSnapshot(reading)
  if (sound.state === 'unreadable') return sound
  const { text, version, id } = sound
  const snapshot: FileSnapshot = Object.freeze({
    ...sound,
    version: `${index}:${version}`,
    ...(id !== undefined && { id: `${index}:${id}` }),
  })
  shown.set(reading, { text, version, snapshot })
  return snapshot
}
