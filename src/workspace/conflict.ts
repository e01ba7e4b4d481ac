import { PromptError } from '../errors.js'

/** The error of a compare-and-set that met another version. `null`: no file. */
export function conflict(path: string, expected: string | null, current: string | null, cause?: unknown): PromptError {
  const wanted = expected === null ? 'was not to exist' : `was to be at version ${expected}`
  const found = current === null ? 'is not there' : `is at version ${current}`
  const message = `${path} ${wanted}, and ${found}.`
  return new PromptError('conflict', message, {
    data: { path, expected, current },
    ...(cause !== undefined && { cause }),
  })
}

/** By its fields: a store may bring its own copy of the class. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, 'code') === 'conflict'
}
