import type { Stability } from '../../ports/layer.js'
import type { TokenCounter } from '../../ports/token-counter.js'
import { describe, type Problem, refuse } from '../../validation.js'

/** Where a cache mark may stand: after the longest beginning of the prompt that changes no more often than this. */
export type CachePoint = Exclude<Stability, 'turn'>

export interface CacheOptions<Ttl extends string = string> {
  /**
   * The marks, at most one a point; those that fall on one place are one mark. Default `['static', 'workspace']`, which
   * leaves two of the four that a request may have to its tools and messages.
   */
  readonly after?: readonly CachePoint[] | undefined
  /**
   * How long the cache lives, for all marks or by point. Left out: the provider's own default, its shortest. A longer
   * one never stands behind a shorter.
   */
  readonly ttl?: Ttl | Readonly<Partial<Record<CachePoint, Ttl | undefined>>> | undefined
  /** 0–4. Where more could stand the last ones do, as each covers all before it. Default: as many as `after` names. */
  readonly maxMarks?: number | undefined
  /** The model's name, for the least size that it caches: see {@link minimumCacheTokens}. */
  readonly model?: string | undefined
  /** Tokens, or tokens by model over {@link minimumCacheTokens}. Under it no mark is set; 0 sets all. */
  readonly minimumTokens?: number | Readonly<Record<string, number>> | undefined
  /** Counts the tokens before a mark. Default: the estimate. */
  readonly counter?: TokenCounter | undefined
}

const cachePoints: readonly CachePoint[] = ['static', 'workspace', 'session']

/** What holds for the marks of one provider. */
export interface CacheRules<Ttl extends string> {
  /** The shortest first, which is also the one of a mark that names none. */
  readonly ttls: readonly [Ttl, ...Ttl[]]
  /** The least tokens of a model that no table knows. */
  readonly minimum: number
}

/** The points that `after` names, from the top of a prompt down. */
export function pointsOf({ after = ['static', 'workspace'] }: CacheOptions): readonly CachePoint[] {
  return cachePoints.filter((point) => after.includes(point))
}

export function ttlOf<Ttl extends string>({ ttl }: CacheOptions<Ttl>, point: CachePoint): Ttl | undefined {
  return typeof ttl === 'object' ? ttl[point] : ttl
}

/** Throws `invalid-options` that names every fault. */
export function checkCache<Ttl extends string>(where: string, cache: CacheOptions<Ttl>, rules: CacheRules<Ttl>): void {
  const faults = Object.entries(cache).flatMap(([name, value]) => faultsOf(name, value, rules.ttls))
  // Whether a longer ttl stands behind a shorter can only be said of ttls that exist.
  refuse(where, faults.length > 0 ? faults : ttlFaults(cache, rules.ttls))
}

/** Throws `invalid-options` for options that are no object or that nobody reads. */
export function checkNames(where: string, options: object, names: readonly string[]): void {
  if (!isRecord(options)) {
    refuse(where, [{ path: 'options', message: `expected an object, got ${describe(options)}` }])
  }
  const unknown = Object.keys(options).filter((name) => !names.includes(name))
  refuse(
    where,
    unknown.map((name) => ({ path: name, message: `unknown option, expected one of ${names.join(', ')}` })),
  )
}

function faultsOf(name: string, value: unknown, ttls: readonly string[]): readonly Problem[] {
  const path = `cache.${name}`
  const rule = rulesOf(ttls)[name]
  if (rule === undefined) return [{ path, message: `unknown option ${name}` }]
  if (value === undefined || rule.fits(value)) return []
  // Of a list or a table it matters what is in it.
  const came = typeof value === 'object' && value !== null && !(value instanceof Date) ? inside(value) : describe(value)
  return [{ path, message: `expected ${rule.expected}, got ${came}` }]
}

function inside(value: object): string {
  const entries = Array.isArray(value)
    ? value.slice(0, 8).map(describe)
    : Object.entries(value).map(([name, inner]) => `${name}: ${describe(inner)}`)
  if (entries.length === 0) return describe(value)
  return Array.isArray(value) ? `[${entries.join(', ')}]` : `{ ${entries.slice(0, 8).join(', ')} }`
}

interface Rule {
  readonly expected: string
  fits(value: unknown): boolean
}

function rulesOf(ttls: readonly string[]): Readonly<Record<string, Rule | undefined>> {
  const points = cachePoints.join(', ')
  const isPoint = (value: unknown) => cachePoints.some((point) => point === value)
  const isTtl = (value: unknown) => ttls.some((ttl) => ttl === value)
  return {
    after: {
      expected: `a list of ${points}`,
      fits: (value) => Array.isArray(value) && value.every(isPoint),
    },
    ttl: {
      expected: `${ttls.join(' or ')}, or these by ${points}`,
      fits: (value) => isTtl(value) || isTable(value, isPoint, (ttl) => ttl === undefined || isTtl(ttl)),
    },
    maxMarks: { expected: 'a whole number from 0 to 4', fits: (value) => isCount(value) && value <= 4 },
    model: { expected: 'the name of a model', fits: (value) => typeof value === 'string' && value !== '' },
    minimumTokens: {
      expected: 'a whole number of tokens, or such numbers by model',
      fits: (value) => isCount(value) || isTable(value, (name) => name !== '', isCount),
    },
    counter: {
      expected: 'a token counter with a function count',
      fits: (value) => isRecord(value) && typeof value.count === 'function',
    },
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isTable(value: unknown, isName: (name: string) => boolean, isValue: (value: unknown) => boolean): boolean {
  return isRecord(value) && Object.entries(value).every(([name, inner]) => isName(name) && isValue(inner))
}

function ttlFaults<Ttl extends string>(cache: CacheOptions<Ttl>, ttls: readonly [Ttl, ...Ttl[]]): readonly Problem[] {
  const points = pointsOf(cache)
  const path = 'cache.ttl'
  const idle = cachePoints.filter(
    (point) => typeof cache.ttl === 'object' && cache.ttl[point] !== undefined && !points.includes(point),
  )
  const rising = points.slice(1).flatMap((point, index) => {
    const before = points[index] ?? point
    const [first, second] = [ttlOf(cache, before) ?? ttls[0], ttlOf(cache, point) ?? ttls[0]]
    if (ttls.indexOf(second) <= ttls.indexOf(first)) return []
    return [{ path, message: `expected no longer ttl behind a shorter, got ${before} ${first}, ${point} ${second}` }]
  })
  return [
    ...idle.map((point) => ({ path, message: `expected a ttl of points that after names, got one of ${point}` })),
    ...rising,
  ]
}
