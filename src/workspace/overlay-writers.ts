import { PromptError } from '../errors.js'
import type { FileReading, FileSnapshot, FileSystem, UnreadableFile } from '../ports/file-system.js'
import { describe } from '../validation.js'
import { conflict, isConflict } from './conflict.js'
import { type Found, type Root, type Roots, readRoots, show } from './overlay-roots.js'
import { normalizePath } from './paths.js'

/** What the first root can do, done so that no other root is ever written. */
export function overlayWriters(roots: Roots): Pick<FileSystem, 'write' | 'append' | 'remove'> {
  const { write, append, remove } = roots[0].files
  return {
    ...(write !== undefined && {
      write: (path, text, options) => writeFile(roots, write, path, text, options?.ifVersion),
    }),
    ...(append !== undefined && { append: (path, text) => appendToFile(roots, append, path, text) }),
    ...(remove !== undefined && {
      remove: (path, options) => removeFile(roots, remove, path, options?.ifVersion),
    }),
  }
}

type Method<Name extends 'write' | 'append' | 'remove'> = NonNullable<FileSystem[Name]>

async function writeFile(
  roots: Roots,
  write: Method<'write'>,
  path: string,
  text: string,
  ifVersion: string | null | undefined,
): Promise<FileSnapshot> {
  const [first] = roots
  if (ifVersion === undefined) return showWritten(first, path, await write.call(first.files, path, text))
  const base = ownVersion(ifVersion) ?? (await createOnly(roots, path, ifVersion))
  const written = await inOverlayVersions(roots, path, ifVersion, () =>
    write.call(first.files, path, text, { ifVersion: base }),
  )
  return showWritten(first, path, written)
}

async function appendToFile(roots: Roots, append: Method<'append'>, path: string, text: string): Promise<void> {
  const [first] = roots
  const { root, reading } = await find(roots, path)
  if (root !== first && reading.state !== 'missing') await copyUp(first, root, reading)
  await append.call(first.files, path, text)
}

async function copyUp({ files }: Root, lower: Root, reading: Exclude<FileReading, { state: 'missing' }>) {
  const { path } = reading
  const from = `${path} of ${lower.files.name} cannot be copied to ${files.name} to append to it`
  if (reading.state === 'unreadable') throw unreadableError(reading, from)
  const why = reasonNotToCopy(reading)
  if (why !== undefined) throw new PromptError('io', `${from}: ${why}.`, { data: { path } })
  if (files.write === undefined) {
    throw new PromptError('capability-missing', `${from}: ${files.name} cannot write.`, { data: { path } })
  }
  try {
    await files.write(path, reading.text, { ifVersion: null })
  } catch (error) {
    // Somebody was quicker, and theirs is what is appended to.
    if (conflictData(error) === undefined) throw error
  }
}

/** The copy would stand for the whole file from now on. */
function reasonNotToCopy({ lossy, gap, stale }: FileSnapshot): string | undefined {
  if (lossy) return 'bytes that are no valid text were replaced in decoding it'
  if (gap !== undefined) return 'it is so long that only its two ends were read'
  return stale ? 'its store failed, and the text is an older one' : undefined
}

async function removeFile(
  roots: Roots,
  remove: Method<'remove'>,
  path: string,
  ifVersion: string | undefined,
): Promise<void> {
  const [first, ...lower] = roots
  if (ifVersion === undefined) return remove.call(first.files, path)
  const base = ownVersion(ifVersion)
  if (base === undefined) {
    const root = lower.find(({ index }) => ifVersion.startsWith(`${index}:`))
    if (root === undefined) throw conflict(normalizePath(path), ifVersion, versionOf((await find(roots, path)).reading))
    const message = `${path} cannot be removed at version ${ifVersion}: it lies in ${root.files.name}, and of an overlay only its first root, ${first.files.name}, is written.`
    throw new PromptError('capability-missing', message, { data: { path } })
  }
  await inOverlayVersions(roots, path, ifVersion, () => remove.call(first.files, path, { ifVersion: base }))
}

/** The version in the first root, if that is the one that it names. */
function ownVersion(version: string | null): string | undefined {
  return version?.startsWith('0:') ? version.slice(2) : undefined
}

/** That the overlay shows exactly this version, of a lower root or none, so that the first root may create the file. */
async function createOnly(roots: Roots, path: string, ifVersion: string | null): Promise<null> {
  const { reading } = await find(roots, path)
  if (reading.state === 'unreadable') {
    throw unreadableError(reading, `${path} cannot be compared with version ${ifVersion ?? 'none'}`)
  }
  const current = versionOf(reading)
  if (current !== ifVersion) throw conflict(normalizePath(path), ifVersion, current)
  return null
}

/** Runs a write of the first root, whose conflicts speak of its own versions. */
async function inOverlayVersions<T>(
  roots: Roots,
  path: string,
  expected: string | null,
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await task()
  } catch (error) {
    const data = conflictData(error)
    if (data === undefined) throw error
    const [, ...lower] = roots
    const { current } = data
    // What the first root does not have, a lower one may show.
    const below = async () => versionOf((await readRoots(lower, [path])).get(path)?.reading)
    const shown = typeof current === 'string' ? `0:${current}` : await below()
    throw conflict(normalizePath(path), expected, shown, error)
  }
}

function conflictData(error: unknown): { readonly current?: unknown } | undefined {
  if (!isConflict(error)) return undefined
  const data: unknown = Reflect.get(error, 'data')
  return typeof data === 'object' && data !== null ? data : {}
}

async function find(roots: Roots, path: string): Promise<Found> {
  return (await readRoots(roots, [path])).get(path) ?? { root: roots[0], reading: { state: 'missing', path } }
}

function versionOf(reading: FileReading | undefined): string | null {
  return reading?.state === 'present' ? reading.version : null
}

function showWritten(first: Root, path: string, written: FileSnapshot): FileSnapshot {
  const shown = show(first, written)
  if (shown.state === 'present') return shown
  const message = `${first.files.name} was to answer the writing of ${path} with its snapshot and gave ${describe(written)}.`
  throw new PromptError('io', message, { data: { path } })
}

function unreadableError({ path, reason, detail, cause }: UnreadableFile, what: string): PromptError {
  const code = reason === 'outside-root' ? 'outside-root' : 'io'
  return new PromptError(code, `${what}: it could not be read (${detail ?? reason}).`, {
    data: { path, reason },
    ...(cause !== undefined && { cause }),
  })
}
