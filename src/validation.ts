import * as z from 'zod'
import { reasonOf } from './diagnostics.js'
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
  const result = parse(where, schema, value)
  if (result.success) return result.data
  refuse(where, problemsOf(result.error.issues, value))
  throw result.error
}

/** A getter of the host's may throw. */
function parse<Schema extends z.ZodType>(where: string, schema: Schema, value: unknown) {
  try {
    return schema.safeParse(value)
  } catch (error) {
    refuse(where, [{ path: '', message: `could not be read: ${reasonOf(error)}` }], error)
    throw error
  }
}

function problemsOf(issues: readonly z.core.$ZodIssue[], value: unknown): readonly Problem[] {
  return issues.flatMap(closestOf).map((issue) => {
    const path = pathText(issue.path)
    if (issue.code === 'unrecognized_keys') {
      return { path, message: `unknown ${issue.keys.length === 1 ? 'option' : 'options'} ${issue.keys.join(', ')}` }
    }
    // A custom check says the whole sentence; zod's own messages lack what came.
    if (issue.code === 'custom') return { path, message: issue.message }
    const limit = limitOf(issue)
    if (limit !== undefined) return { path, message: `${limit}, got ${describe(at(value, issue.path))}` }
    return { path, message: `${plainMessage(issue)}, got ${describe(at(value, issue.path))}` }
  })
}

/** Of a union, what is wrong by the alternative that went furthest; where none did, what each expected. */
function closestOf(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const branches = issue.errors.map((errors) => errors.flatMap(closestOf))
  const depths = branches.map((errors) => Math.max(...errors.map((error) => error.path.length)))
  const deepest = Math.max(...depths)
  const closest = branches[depths.indexOf(deepest)] ?? []
  if (deepest > 0) return closest.map((error) => ({ ...error, path: [...issue.path, ...error.path] }))
  const expected = branches.flat().map((error) => plainMessage(error).replace(/, got .*$/s, ''))
  return [{ ...issue, message: [...new Set(expected)].join(', or ') }]
}

/** Of numbers alone: of lists and texts zod says what there are too many of. */
function limitOf(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'too_big' && issue.origin === 'number') return `expected at most ${issue.maximum}`
  if (issue.code === 'too_small' && issue.origin === 'number') return `expected at least ${issue.minimum}`
  return undefined
}

function plainMessage({ message }: z.core.$ZodIssue): string {
  return message.replace(/^Invalid (?:input|option): /, '').replace(/, received .*$/s, '')
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('')
}

/** Not blank, and without a line break. Two looks and not one pattern, which would take the square of a long text's time. */
export function isOneLine(text: unknown): text is string {
  return typeof text === 'string' && !/[\n\r\v\f\u0085\u2028\u2029]/.test(text) && /\S/.test(text)
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

// What several schemas are made of.
export const size = z.number().int().min(0)
export const share = z.number().min(0).max(1)
export const strategy = z.enum(['head-tail', 'newest', 'sections'])
export const boundary = z.enum(['exact', 'line'])
export const locale = z.enum(['en', 'zh-CN'])

/** A value that zod cannot describe: it passes a test or the message says what was expected. */
export function expecting<Value>(expected: string, test: (value: unknown) => boolean) {
  return z.custom<Value>(test, { error: (issue) => `expected ${expected}, got ${describe(issue.input)}` })
}
