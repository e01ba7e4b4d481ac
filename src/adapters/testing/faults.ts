import { reasonOf } from '../../diagnostics.js'
import type { UnreadableReason } from '../../ports/file-system.js'
import { describe, type Problem } from '../../validation.js'

export type FaultyMethod = 'read' | 'list' | 'write' | 'append' | 'remove'

/** One call of a file system. */
export interface FileOperation {
  /** From 0, over all methods, in the order of the calls. */
  readonly index: number
  readonly method: FaultyMethod
  /** As the caller wrote them: several of a `read`, one of every other method. Of `list` it is the directory. */
  readonly paths: readonly string[]
}

export type Fault = FailingCall | CutCall | DelayedCall | Crash

/** The call rejects, or a read does not get at some of its files. */
export interface FailingCall {
  readonly kind: 'fail'
  /** Default: an `Error` with the code `EIO`. */
  readonly error?: unknown
  /** `after`: what was to be done is done all the same, and the caller is not told. Default `before`. */
  readonly when?: 'before' | 'after'
  /** Of a `read`: only these are `unreadable`, with `error` as their cause. Other methods fail as without it. */
  readonly paths?: readonly string[]
  /** Why these are. Default `io`. */
  readonly reason?: UnreadableReason
}

/**
 * Only the first part of a text gets through. `short` is noticed and `tear` is not:
 *
 * | method | `short` | `tear` |
 * |---|---|---|
 * | `write`, `append` | stores the part and rejects, with `EIO` | stores the part and answers as if all was stored |
 * | `read` | each text is cut; `length` and `version` are those of the whole | so they are those of the part |
 * | `list` | the first part of the names | the same |
 * | `remove` | removes nothing and rejects, with `EIO` | removes nothing and answers as if it had |
 */
export interface CutCall {
  readonly kind: 'short' | 'tear'
  /** UTF-16 units of a text, one less where a surrogate pair would be cut; of a listing, names. Default: half of them. */
  readonly units?: number
}

/** The call is made late. An abort of its signal is heeded, with the signal's reason; a write has no signal. */
export interface DelayedCall {
  readonly kind: 'delay'
  /** `never`: nothing is done, and the call settles only when its signal aborts. */
  readonly ms: number | 'never'
}

/** This call and every later one never settle, whatever their signals say, until the file system is revived. */
export interface Crash {
  readonly kind: 'crash'
  /** `after`: what this call was to do is done. Default `before`. */
  readonly when?: 'before' | 'after'
}

/** Timers know no more ms. */
const LONGEST = 2 ** 31 - 1

const reasons: Readonly<Record<UnreadableReason, true>> = {
  'not-a-file': true,
  'outside-root': true,
  permission: true,
  binary: true,
  'too-slow': true,
  io: true,
}

const isWhen = expecting('before or after', (value) => value === 'before' || value === 'after')
const isUnits = expecting('a whole number of at least 0', isCount)
const isDelay = expecting(
  `ms from 0 to ${LONGEST}, or never`,
  (value) => value === 'never' || (typeof value === 'number' && value >= 0 && value <= LONGEST),
)
const isPaths = expecting(
  'a list of paths',
  (value) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
)
const isReason = expecting(
  Object.keys(reasons).join(', '),
  (value) => typeof value === 'string' && Object.hasOwn(reasons, value),
)

type Check = (value: unknown) => string | undefined

const fieldsOf: Readonly<Record<Fault['kind'], Readonly<Record<string, Check>>>> = {
  fail: { error: () => undefined, when: isWhen, paths: isPaths, reason: isReason },
  short: { units: isUnits },
  tear: { units: isUnits },
  delay: { ms: isDelay },
  crash: { when: isWhen },
}

/** What keeps a value from being a fault, with the other fields that it may have. A misspelt one would test nothing. */
export function faultProblems(path: string, value: unknown, others: readonly string[] = []): readonly Problem[] {
  if (typeof value !== 'object' || value === null)
    return [{ path, message: `expected a fault, got ${describe(value)}` }]
  const { kind } = value as { readonly kind?: unknown }
  if (!isKind(kind)) {
    const message = `expected one of ${Object.keys(fieldsOf).join(', ')}, got ${describe(kind)}`
    return [{ path: within(path, 'kind'), message }]
  }
  const fields = fieldsOf[kind]
  const known = new Set(['kind', ...others, ...Object.keys(fields)])
  const unknown = Object.keys(value).filter((key) => !known.has(key))
  return [
    ...unknown.map((key) => ({ path: within(path, key), message: `is no option of the fault ${kind}` })),
    ...Object.entries(fields).flatMap(([key, check]): readonly Problem[] => {
      const given: unknown = Reflect.get(value, key)
      const message = given === undefined && key !== 'ms' ? undefined : check(given)
      return message === undefined ? [] : [{ path: within(path, key), message }]
    }),
  ]
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isKind(kind: unknown): kind is Fault['kind'] {
  return typeof kind === 'string' && Object.hasOwn(fieldsOf, kind)
}

function expecting(expected: string, test: (value: unknown) => boolean): Check {
  return (value) => (test(value) ? undefined : `expected ${expected}, got ${describe(value)}`)
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** What a call rejects with where the fault names no error of its own. */
export function inputOutputError({ method, paths }: FileOperation): Error {
  return Object.assign(new Error(`EIO: i/o error, ${method} ${paths.join(', ')}`), { code: 'EIO' })
}

/** For the name of a case. */
export function nameOf(fault: Fault): string {
  switch (fault.kind) {
    case 'fail': {
      const what = fault.paths === undefined ? [] : [`of ${fault.paths.join(', ')}`]
      const error = fault.error === undefined ? [] : [`with ${reasonOf(fault.error)}`]
      return ['fail', fault.when ?? 'before', ...what, ...error].join(' ')
    }
    case 'crash':
      return `crash ${fault.when ?? 'before'}`
    case 'delay':
      return fault.ms === 'never' ? 'delay for ever' : `delay of ${fault.ms} ms`
    default:
      return fault.units === undefined ? fault.kind : `${fault.kind} after ${fault.units}`
  }
}
