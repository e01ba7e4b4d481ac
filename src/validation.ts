import * as z from 'zod'
import { PromptError } from './errors.js'

/** A problem with one option: where it is, what was expected, what came. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Throws `invalid-options` that names every problem; returns where there is none. */
export function refuse(where: string, problems: readonly Problem[], cause?: unknown): void {
  if (problems.length === 0) return
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const message =
    lines.length === 1 ? `${where}: ${lines[0]}` : `${where}: ${lines.length} problems\n- ${lines.join('\n- ')}`
  throw new PromptError('invalid-options', message, {
    data: { problems },
    ...(cause !== undefined && { cause }),
  })
}

/** Checks a value against a schema and throws `invalid-options` where it does not fit. */
export function check<Schema extends z.ZodType>(where: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  refuse(where, problemsOf(result.error, value))
  throw result.error
}

function problemsOf(error: z.ZodError, value: unknown): readonly Problem[] {
  return error.issues.map((issue) => {
    const path = pathText(issue.path)
    if (issue.code === 'unrecognized_keys') {
      return { path, message: `unknown ${issue.keys.length === 1 ? 'option' : 'options'} ${issue.keys.join(', ')}` }
    }
    // A custom check says the whole sentence; zod's own messages lack what came.
    if (issue.code === 'custom') return { path, message: issue.message }
    return {
      path,
      message: `${issue.message.replace(/^Invalid (?:input|option): /, '')}, got ${describe(at(value, issue.path))}`,
    }
  })
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('')
}

/** What came, short enough for a message. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return `${value}`
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** A value that zod cannot describe: it passes a test or the message says what was expected. */
export function expecting<Value>(expected: string, test: (value: unknown) => boolean) {
  return z.custom<Value>(test, { error: (issue) => `expected ${expected}, got ${describe(issue.input)}` })
}
