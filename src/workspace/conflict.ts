import { PromptError } from '../errors.js'

/**
 * The error of a compare-and-set that met another version. `null`: no file.
 *
 * @param displaced The name, beside it, of the file that holds the current text, where that had to leave its place.
 */
export function conflict(
  path: string,
  expected: string | null,
  current: string | null,
  cause?: unknown,
  displaced?: string,
): PromptError {
  const wanted = expected === null ? 'was not to exist' : `was to be at version ${expected}`
  const found = current === null ? 'is not there' : `is at version ${current}`
  const kept = displaced === undefined ? '' : ` Its text is kept in ${displaced}.`
  const message = `${path} ${wanted}, and ${found}.${kept}`
  return new PromptError('conflict', message, {
    data: { path, expected, current, ...(displaced !== undefined && { displaced }) },
    ...(cause !== undefined && { cause }),
  })
}

/** By its fields: a store may bring its own copy of the class. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, 'code') === 'conflict'
}
