import assert from 'node:assert/strict'
import type { FileReading, FileSnapshot, FileSystem } from '../../ports/file-system.js'

/** A file system and the way to change its store without it. */
export interface FileSystemUnderTest {
  readonly files: FileSystem
  /** Changes the store behind the file system's back, creating what is missing. */
  put(path: string, text: string): void | Promise<void>
  /** Removes a file behind the file system's back. */
  drop(path: string): void | Promise<void>
  /** Called after each case, whatever became of it. */
  dispose?(): void | Promise<void>
}

export interface Case {
  readonly name: string
  /** What the store holds at first. Default: nothing. */
  readonly files?: Readonly<Record<string, string>>
  readonly needs?: readonly ('list' | 'write' | 'append' | 'remove' | 'watch')[]
  check(store: FileSystemUnderTest): Promise<void>
}

export async function readOne(files: FileSystem, path: string): Promise<FileReading> {
  const readings = await files.read([path])
  assert.equal(readings.length, 1, 'one answer for one path')
  const [reading] = readings
  assert.ok(reading, 'an answer')
  return reading
}

export async function present(files: FileSystem, path: string): Promise<FileSnapshot> {
  return asPresent(await readOne(files, path))
}

export function asPresent(reading: FileReading | undefined): FileSnapshot {
  assert.equal(reading?.state, 'present', `${reading?.path} is there and readable`)
  return reading as FileSnapshot
}

/** What a call of an optional capability is made on; a case that needs it says so in `needs`. */
export function capable<Name extends 'list' | 'write' | 'append' | 'remove' | 'watch'>(files: FileSystem, name: Name) {
  const method = files[name]
  assert.ok(method, `the file system has ${name}`)
  return method.bind(files) as NonNullable<FileSystem[Name]>
}

/** That the promise rejects with a `conflict` that says what was expected and what was there. */
export async function rejectsWithConflict(
  promise: Promise<unknown>,
  data: { readonly path: string; readonly expected: string | null; readonly current: string | null },
): Promise<void> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  // By its fields: a store may bring its own copy of the class.
  assert.ok(outcome instanceof Error, 'a write on another version rejects')
  assert.deepEqual(
    { code: Reflect.get(outcome, 'code'), data: Reflect.get(outcome, 'data') },
    { code: 'conflict', data },
    'the error is a conflict and says with what',
  )
}
