import * as z from 'zod'
import { isPriority } from '../layers/check-draft.js'
import { boundary, expecting, isOneLine, locale, share, size, strategy } from '../validation.js'
import { isTimeZone } from '../workspace/calendar.js'
import { checkPath, normalizePath } from '../workspace/paths.js'
import { isToolName } from './tools.js'

const hasMethod = (value: unknown, name: string) =>
  typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function'
const fn = (expected: string) =>
  expecting<(...input: never[]) => unknown>(expected, (value) => typeof value === 'function')

const milliseconds = z.number().min(0).max(2_147_483_647)
const line = (expected: string) => expecting<string>(expected, isOneLine)
const kind = z.enum(['main', 'group', 'subagent', 'cron', 'heartbeat', 'boot'])
const detail = z.enum(['full', 'minimal', 'none'])
const role = z.enum(['read', 'write', 'edit', 'skill'])
const zone = expecting<string>(
  'an IANA time zone such as Asia/Shanghai',
  (value) => typeof value === 'string' && isTimeZone(value),
)
const path = expecting<string>(
  'a path inside the workspace',
  (value) => typeof value === 'string' && checkPath(normalizePath(value)) === undefined,
)

const fileBudget = z.union([
  size,
  z
    .strictObject({
      max: size.optional(),
      soft: size.optional(),
      strategy: strategy.optional(),
      minimum: size.optional(),
      boundary: boundary.optional(),
      stepped: z.boolean().optional(),
    })
    .superRefine(({ max, minimum }, { addIssue }) => {
      if (max === undefined || minimum === undefined || minimum <= max) return
      addIssue({ code: 'custom', path: ['minimum'], message: `expected at most max, ${max}, got ${minimum}` })
    }),
])

export const specSchema = z.strictObject({
  path,
  layer: z.string().min(1),
  title: line('a title of one line').optional(),
  order: z.number().optional(),
  audience: z.strictObject({ kinds: z.array(kind).optional(), private: z.boolean().optional() }).optional(),
  budget: fileBudget.optional(),
  fallback: path.optional(),
  detail: detail.optional(),
  share: z.string().optional(),
  priority: expecting<number>('a number, or Infinity for what never yields', isPriority).optional(),
  hidden: z.boolean().optional(),
  required: z.boolean().optional(),
  optional: z.boolean().optional(),
})

/** An object with these fields and any others: hosts hand over instances of their own classes. */
const object = <Shape extends z.core.$ZodLooseShape>(expected: string, shape: Shape) =>
  z.looseObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? `expected ${expected}` : undefined) })

const layer = object('a layer: { id, stability, render }', {
  id: z.string().min(1),
  stability: z.enum(['static', 'workspace', 'session', 'turn']),
  detail: detail.optional(),
  exclusive: z.boolean().optional(),
  documents: fn('a function').optional(),
  load: fn('a function').optional(),
  render: fn('a function'),
})

const tool = object('a tool: { name, description }', {
  name: expecting<string>('a name of one line, of characters that can be seen', isToolName),
  description: z.string().optional(),
  role: role.optional(),
  usageHint: z.string().optional(),
})
const tools = expecting<unknown>(
  'an array of tools or a registry, an object with list()',
  (value) => Array.isArray(value) || hasMethod(value, 'list'),
).pipe(z.union([z.array(tool), z.looseObject({})]))

const injector = object('a context injector: { name, inject }', {
  name: z.string().min(1),
  tag: expecting<string>('a tag of letters, digits, spaces, _ or -, at most 40', isTag).optional(),
  private: z.boolean().optional(),
  inject: fn('a function'),
})

function isTag(tag: unknown): boolean {
  return typeof tag === 'string' && /^[\p{L}\p{N}_-][\p{L}\p{N} _-]{0,39}$/u.test(tag)
}

const identity = z.strictObject({
  name: line('a name of one line').optional(),
  role: z.string().optional(),
  goals: z.string().optional(),
  voice: z.string().optional(),
  emoji: z.string().optional(),
  avatar: z.string().optional(),
})

const skillId = line('an id of one line')
const priority = z.number().optional()
const skill = z.union([
  z.strictObject({ id: skillId, text: z.string(), priority }),
  z.strictObject({ id: skillId, description: z.string(), path: line('a path of one line'), priority }),
])

const mode = z.strictObject({ name: line('a name of one line'), style: z.string() })
const preference = z.strictObject({ key: line('a key of one line'), value: z.string() })

const paths = z.array(z.string())
const audienceRow = z
  .strictObject({
    shown: paths.optional(),
    read: z.union([z.literal('shown'), paths]).optional(),
    write: paths.optional(),
    injectors: z.enum(['all', 'public', 'none']).optional(),
  })
  .optional()

const counter = expecting<unknown>(
  'a token counter and no promise of one: await it',
  (value) => !(value instanceof Promise),
).pipe(
  object('a token counter: { name, count }', {
    name: line('a name of one line'),
    exact: z.boolean().optional(),
    additive: z.boolean().optional(),
    count: fn('a function'),
  }),
)
const amount = expecting<number>(
  'a whole number from 1 on',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
)
const total = z
  .strictObject({
    chars: amount.optional(),
    tokens: amount.optional(),
    counter: counter.optional(),
    tools: z.boolean().optional(),
  })
  .superRefine(({ chars, tokens, counter: given }, { addIssue }) => {
    const units = [chars, tokens].filter((unit) => unit !== undefined).length
    if (units !== 1) {
      addIssue({ code: 'custom', message: `expected either chars or tokens, got ${units === 0 ? 'neither' : 'both'}` })
    } else if (chars !== undefined && given !== undefined) {
      addIssue({ code: 'custom', path: ['counter'], message: 'expected none with chars, which need no counter' })
    }
  })

const presetShape = {
  layers: z.array(layer).min(1).optional(),
  documents: fn('a function from the default files to the files').optional(),
  safety: z.union([z.string(), z.literal(false)]).optional(),
  base: z.union([z.string(), z.strictObject({ path })]).optional(),
  rules: z.string().optional(),
  toolNames: z.partialRecord(role, line('the name of a tool').optional()).optional(),
  skills: z.array(skill).optional(),
  toolOrder: z.enum(['name', 'registration']).optional(),
  budget: z
    .strictObject({
      perFile: z.union([size, z.record(z.string(), fileBudget)]).optional(),
      head: share.optional(),
      tail: share.optional(),
      shares: z.record(z.string(), size.optional()).optional(),
      total: total.optional(),
      reserve: share.optional(),
    })
    .optional(),
  identity: z.strictObject({ global: identity.optional(), agent: identity.optional() }).optional(),
  audience: z.partialRecord(kind, z.strictObject({ on: audienceRow, off: audienceRow })).optional(),
  memory: z.boolean().optional(),
  notes: z
    .union([
      z.literal(false),
      z.strictObject({
        days: z.number().int().min(1).max(14).optional(),
        files: z.number().int().min(1).optional(),
        perDay: size.optional(),
      }),
    ])
    .optional(),
  thresholds: z
    .strictObject({ nearlyEmpty: size.optional(), nearLimit: share.optional(), nearCap: share.optional() })
    .optional(),
  locale: locale.optional(),
  texts: z.record(z.string(), z.string().optional()).optional(),
  timeZone: zone.optional(),
  delimiter: z.enum(['tag', 'heading']).optional(),
  frontMatter: z.enum(['strip', 'keep']).optional(),
  demoteHeadings: z.boolean().optional(),
  deadlines: z.strictObject({ files: milliseconds.optional(), injector: milliseconds.optional() }).optional(),
  onLayerError: z.enum(['report', 'throw']).optional(),
}

export const optionsSchema = z.strictObject({
  ...presetShape,
  files: object('a file system (an object with read), such as nodeFileSystem(folder)', {
    name: z.string().min(1),
    read: fn('a function'),
    list: fn('a function').optional(),
  }),
  preset: z
    .strictObject(
      { ...presetShape, layers: z.array(layer).min(1) },
      { error: ({ code }) => (code === 'invalid_type' ? 'expected a preset, such as presets.layered' : undefined) },
    )
    .optional(),
  tools: tools.optional(),
  injectors: z.array(injector).optional(),
  logger: object('a logger: { info, warn }', { info: fn('a function'), warn: fn('a function') }).optional(),
})

export const turnSchema = z.strictObject({
  session: z
    .strictObject({ id: z.string().optional(), kind: kind.optional(), memory: z.boolean().optional() })
    .optional(),
  now: expecting<Date>('a valid Date', (value) => value instanceof Date && !Number.isNaN(value.getTime())).optional(),
  timeZone: zone.optional(),
  input: z.string().optional(),
  hints: z.array(z.string()).optional(),
  mode: mode.optional(),
  preferences: z.array(preference).optional(),
  tools: tools.optional(),
  detail: detail.optional(),
  signal: expecting<AbortSignal>(
    'an AbortSignal',
    (value) => hasMethod(value, 'addEventListener') && 'aborted' in (value as object),
  ).optional(),
})
