import { freezeDeep } from '../plain-data.js'
import type { FileReading, FileSnapshot, FileSystem, UnreadableFile } from '../ports/file-system.js'
import { describe, type Problem } from '../validation.js'
import { type SoundReading, soundReading } from './sound-reading.js'

const states: ReadonlySet<unknown> = new Set(['present', 'missing', 'unreadable'])

/**
 * What a store answered for each path. They should come in the order asked, but each also says which it is; a path that
 * has no answer is unreadable, for a store that says nothing of a file does not say that it is missing.
 */
export function answersByPath(
  files: FileSystem,
  paths: readonly string[],
  answer: unknown,
): ReadonlyMap<string, FileReading> {
  const readings: readonly unknown[] = Array.isArray(answer) ? answer : []
  const byPath = new Map(readings.filter(isReading).map((reading) => [reading.path, reading]))
  return new Map(
    paths.map((path) => [path, byPath.get(path) ?? unreadable(path, `${files.name} gave no answer for it`)]),
  )
}

function isReading(reading: unknown): reading is FileReading {
  try {
    const { state, path } = (reading ?? {}) as Partial<FileReading>
    return states.has(state) && typeof path === 'string'
  } catch {
    return false
  }
}

export function unreadable(path: string, detail: string, cause?: unknown): UnreadableFile {
  return Object.freeze({ state: 'unreadable', path, reason: 'io', detail, ...(cause !== undefined && { cause }) })
}

/** What a store said of a file, such that it can no longer change it; unreadable where a snapshot is not sound. */
export function frozenReading(reading: FileReading): FileReading {
  if (reading.state === 'present') return frozenSnapshot(reading)
  const { state, path } = reading
  if (state === 'missing') return Object.freeze({ state, path })
  const { reason, detail, cause } = reading
  return Object.freeze({
    state,
    path,
    reason,
    ...(detail !== undefined && { detail }),
    ...(cause !== undefined && { cause }),
  })
}

/** A snapshot that its store can no longer change; unreadable where the store's own is not sound. */
export function frozenSnapshot(reading: FileSnapshot): SoundReading {
  const sound = soundReading(reading)
  if (sound.state === 'unreadable') return sound
  const { modifiedAt } = reading
  return freezeDeep({ ...sound, ...(modifiedAt instanceof Date && { modifiedAt: new Date(modifiedAt) }) })
}

/** The capabilities of these names that a file system has for certain, by its type. */
export type CertainlyOf<Files extends FileSystem, Name extends keyof FileSystem> = Required<
  Pick<FileSystem, { [One in Name]: undefined extends Files[One] ? never : One }[Name]>
>

/** What keeps a value from being a file system; nothing where it is one. */
export function fileSystemProblems(path: string, value: unknown): readonly Problem[] {
  const { name, read } = (value ?? {}) as Partial<FileSystem>
  if (typeof name === 'string' && typeof read === 'function') return []
  const lacks = typeof value === 'object' && value !== null ? 'an object without them' : describe(value)
  return [{ path, message: `expected a file system (an object with name and read), got ${lacks}` }]
}
