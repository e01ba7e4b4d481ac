import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { reasonOf } from '../diagnostics.js'
import { PromptError } from '../errors.js'

/**
 * The library takes a missing folder for an empty workspace; a person at a prompt has more likely mistyped it.
 *
 * @throws PromptError `io`, with `data.missing: true` where there is nothing of that name
 */
export async function checkFolder(directory: string): Promise<void> {
  const found = await stat(directory).catch((error: unknown) => {
    const missing = codeOf(error) === 'ENOENT'
    const why = missing ? 'there is no such folder' : `it cannot be opened (${codeOf(error)})`
    throw folderError(directory, why, error, { missing })
  })
  if (!found.isDirectory()) throw folderError(directory, 'expected a folder, it is a file')
}

/**
 * Creates a folder with the parents that are missing; one that is there is fine.
 *
 * @returns the way to take back what was created, as far as it is still empty
 * @throws PromptError `io`; nothing is left of what was created by then
 */
export async function makeFolder(directory: string): Promise<() => Promise<void>> {
  const made: string[] = []
  const takeBack = async () => {
    // One that somebody has put something into meanwhile stays, and so does what holds it.
    for (const path of made.toReversed()) await rmdir(path).catch(() => {})
  }
  try {
    // What is no path at all is nothing that could be created either.
    if (directory === '') throw folderError(directory, 'there is no such folder')
    await makeInside(resolve(directory), made)
    await checkFolder(directory)
  } catch (error) {
    await takeBack()
    if (error instanceof PromptError) throw error
    const reason = reasonOf(error).replace(/, mkdir .*$/s, '')
    const why = codeOf(error) === 'ENOTDIR' ? 'what it would lie in is a file' : reason
    throw folderError(directory, `expected a folder or room for a new one, but ${why}`, error)
  }
  return takeBack
}

async function makeInside(path: string, made: string[]): Promise<void> {
  try {
    await mkdir(path)
    made.push(path)
  } catch (error) {
    const parent = dirname(path)
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error
    await makeInside(parent, made)
    await mkdir(path)
    made.push(path)
  }
}

/** Whether {@link checkFolder} found nothing of that name. */
export function isMissingFolder(error: unknown): boolean {
  return error instanceof PromptError && error.data.missing === true
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function folderError(directory: string, why: string, cause?: unknown, data: { readonly missing?: boolean } = {}) {
  const name = directory === '' ? '""' : directory
  return new PromptError('io', `${name}: ${why}`, { data, ...(cause !== undefined && { cause }) })
}
