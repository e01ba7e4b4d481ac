import { shareProblems } from '../budget/truncate.js'
import { reasonOf } from '../diagnostics.js'
import { presets } from '../layers/presets/index.js'
import { freezeDeep, merged } from '../plain-data.js'
import type { Agent, AgentOptions, Budget, FileBudget, Preset, TotalBudget } from '../ports/agent.js'
import type { ContextInjector } from '../ports/context-injector.js'
import type { DocumentSpec } from '../ports/document.js'
import type { IdentityFields } from '../ports/identity.js'
import type { Layer } from '../ports/layer.js'
import type { Skill } from '../ports/skill.js'
import type { Texts } from '../ports/texts.js'
import { textsByLocale } from '../texts/index.js'
import { check, describe, type Problem, refuse } from '../validation.js'
import { mergeAudience } from '../workspace/audience.js'
import { manifest } from '../workspace/manifest.js'
import { normalizePath } from '../workspace/paths.js'
import { optionsSchema, specSchema } from './schemas.js'
import { copyTool } from './tools.js'

const where = 'defineAgent'
const agents = new WeakSet<Agent>()

/**
 * Validates options once, fills in every default and freezes its own copy; what the host passed in is neither frozen
 * nor looked at again. Throws `PromptError` `invalid-options` that names every fault.
 *
 * @example
 * const agent = defineAgent({
 *   files: nodeFileSystem('./workspace'),
 *   base: 'You are a careful assistant.',
 *   documents: (defaults) => [...defaults, { path: 'STYLE.md', layer: 'user', title: 'House style' }],
 * })
 */
export function defineAgent(options: AgentOptions): Agent {
  check(where, optionsSchema, options)
  const preset: Preset = options.preset ?? presets.default
  const pick = <Key extends keyof Preset>(key: Key): Preset[Key] => options[key] ?? preset[key]
  const layers = Object.freeze([...(pick('layers') ?? [])].map(copyLayer))
  const budget = resolveBudget(preset.budget, options.budget)
  const texts = resolveTexts(options, preset)
  const base = pick('base')
  const problems = [
    ...shareProblems('budget', budget.head, budget.tail),
    ...duplicateIds('layers', layers),
    ...duplicateIds('skills', pick('skills') ?? []),
    ...textProblems({ ...preset.texts, ...options.texts }),
  ]
  refuse(where, problems)

  const agent: Agent = {
    files: options.files,
    layers,
    documents: resolveDocuments(options, preset, layers),
    safety: pick('safety') ?? texts.safety,
    base: typeof base === 'object' ? Object.freeze({ path: normalizePath(base.path) }) : base,
    rules: pick('rules'),
    tools: Array.isArray(options.tools) ? Object.freeze(options.tools.map(copyTool)) : (options.tools ?? []),
    toolNames: Object.freeze(merged<Agent['toolNames']>(defaultToolNames, preset.toolNames, options.toolNames)),
    toolOrder: pick('toolOrder') ?? 'name',
    skills: resolveSkills(pick('skills') ?? []),
    injectors: Object.freeze((options.injectors ?? []).map(copyInjector)),
    budget,
    identity: Object.freeze({
      global: Object.freeze(merged<IdentityFields>(preset.identity?.global, options.identity?.global)),
      agent: Object.freeze(merged<IdentityFields>(preset.identity?.agent, options.identity?.agent)),
    }),
    audience: freezeDeep(structuredClone(mergeAudience(pick('audience')))),
    memory: pick('memory') ?? true,
    notes: resolveNotes(preset.notes, options.notes),
    thresholds: Object.freeze(merged<Agent['thresholds']>(defaultThresholds, preset.thresholds, options.thresholds)),
    locale: pick('locale') ?? 'en',
    texts,
    timeZone: pick('timeZone') ?? 'UTC',
    delimiter: pick('delimiter') ?? 'tag',
    frontMatter: pick('frontMatter') ?? 'strip',
    demoteHeadings: pick('demoteHeadings') ?? false,
    deadlines: Object.freeze(merged<Agent['deadlines']>(defaultDeadlines, preset.deadlines, options.deadlines)),
    onLayerError: pick('onLayerError') ?? 'report',
    logger: options.logger,
  }
  agents.add(agent)
  return Object.freeze(agent)
}

/** Whether a value came from {@link defineAgent}: everything behind it relies on what was checked there. */
function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && agents.has(value as Agent)
}

/** Throws `invalid-options` for anything else. */
export function checkAgent(value: unknown): void {
  if (isAgent(value)) return
  refuse('agent', [{ path: '', message: `expected what defineAgent returned, got ${describe(value)}` }])
}

const defaultThresholds = { nearlyEmpty: 100, nearLimit: 0.8, nearCap: 0.85 }
const defaultDeadlines = { files: 2_000, injector: 3_000 }
const defaultToolNames = { read: 'read', write: 'write', edit: 'edit', skill: 'skill' }

/** Methods are bound, as a host's layer may be an instance of a class. */
function copyLayer(layer: Layer<unknown>): Layer<unknown> {
  const { id, stability, detail, exclusive } = layer
  return Object.freeze({
    id,
    stability,
    ...(detail !== undefined && { detail }),
    ...(exclusive !== undefined && { exclusive }),
    ...(layer.documents && { documents: layer.documents.bind(layer) }),
    ...(layer.load && { load: layer.load.bind(layer) }),
    render: layer.render.bind(layer),
  })
}

function copyInjector(injector: ContextInjector): ContextInjector {
  const { name, tag } = injector
  return Object.freeze({
    name,
    ...(tag !== undefined && { tag }),
    private: injector.private !== false,
    inject: injector.inject.bind(injector),
  })
}

function duplicateIds(list: string, items: readonly { readonly id: string }[]): readonly Problem[] {
  const seen = new Set<string>()
  return items.flatMap(({ id }, index) =>
    seen.size < seen.add(id).size
      ? []
      : [{ path: `${list}[${index}].id`, message: `expected an id of its own, got ${describe(id)} again` }],
  )
}

/** In the order in which they are shown. */
function resolveSkills(skills: readonly Skill[]): readonly Skill[] {
  const rank = ({ priority = 50 }: Skill) => priority
  const sorted = [...skills].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
  return freezeDeep(structuredClone(sorted))
}

function resolveBudget(...budgets: readonly (Budget | undefined)[]): Agent['budget'] {
  const [preset, own] = budgets
  const files: Record<string, FileBudget> = {}
  let perFile = 20_000
  for (const budget of budgets) {
    if (typeof budget?.perFile === 'number') perFile = budget.perFile
    else Object.assign(files, budget?.perFile)
  }
  const head = own?.head ?? preset?.head ?? 0.7
  const tail = own?.tail ?? preset?.tail ?? 0.2
  const shares = Object.freeze(merged<Record<string, number>>(preset?.shares, own?.shares))
  const total = copyTotal(own?.total ?? preset?.total)
  const reserve = own?.reserve ?? preset?.reserve ?? 0.15
  return Object.freeze({ perFile, files: freezeDeep(structuredClone(files)), head, tail, shares, total, reserve })
}

function copyTotal(total: TotalBudget | undefined): TotalBudget | undefined {
  if (total?.counter === undefined) return total && Object.freeze({ ...total })
  const { name, exact, additive } = total.counter
  const counter = Object.freeze({
    name,
    exact: exact === true,
    additive: additive === true,
    count: total.counter.count.bind(total.counter),
  })
  return Object.freeze({ ...total, counter })
}

function resolveNotes(preset: Preset['notes'], own: Preset['notes']): Agent['notes'] {
  if (own === false || (own === undefined && preset === false)) return false
  const defaults = { days: 2, files: 4, perDay: 16_000 }
  return Object.freeze(merged<typeof defaults>(defaults, preset === false ? undefined : preset, own))
}

function resolveTexts(options: AgentOptions, preset: Preset): Texts {
  const locale = options.locale ?? preset.locale ?? 'en'
  return Object.freeze(merged<Texts>(textsByLocale[locale], preset.texts, options.texts))
}

function textProblems(own: Readonly<Record<string, unknown>>): readonly Problem[] {
  return Object.entries(own).flatMap(([key, text]) => {
    if (!Object.hasOwn(textsByLocale.en, key))
      return [{ path: `texts.${key}`, message: 'there is no text of that name' }]
    if (key === 'weekdays' && String(text).split(',').length !== 7) {
      return [
        { path: 'texts.weekdays', message: `expected seven names with commas between them, got ${describe(text)}` },
      ]
    }
    if (text === undefined || !key.startsWith('heading') || /^#{1,6} \S[^\n]*$/.test(String(text))) return []
    return [{ path: `texts.${key}`, message: `expected a Markdown heading of one line, got ${describe(text)}` }]
  })
}

/** The manifest as the preset and then the host change it. */
function resolveDocuments(
  options: AgentOptions,
  preset: Preset,
  layers: readonly Layer<unknown>[],
): readonly DocumentSpec[] {
  const defaults = callDocuments('preset.documents', preset.documents, manifest)
  const specs = callDocuments('documents', options.documents, defaults)
  const ids = new Set(layers.map((layer) => layer.id))
  const isDefault = (spec: DocumentSpec) => [...manifest, ...defaults].some((other) => other === spec)
  // A layout without a layer does without that layer's files; a host that names a layer means it.
  const wanted = specs.filter((spec) => ids.has(spec.layer) || !isDefault(spec))
  const problems = wanted.flatMap((spec, index) => {
    const known = [...ids].join(', ')
    const layer = ids.has(spec.layer)
      ? []
      : [{ path: `documents ${spec.path}`, message: `expected a layer of ${known}, got ${describe(spec.layer)}` }]
    const first = wanted.findIndex((other) => normalizePath(other.path) === normalizePath(spec.path))
    return first === index ? layer : [...layer, { path: `documents ${spec.path}`, message: 'the path is there twice' }]
  })
  refuse(where, problems)
  return freezeDeep(wanted.map((spec) => ({ ...structuredClone(spec), path: normalizePath(spec.path) })))
}

function callDocuments(
  name: string,
  change: AgentOptions['documents'],
  defaults: readonly DocumentSpec[],
): readonly DocumentSpec[] {
  if (change === undefined) return defaults
  let specs: unknown
  try {
    specs = change(defaults)
  } catch (error) {
    refuse(where, [{ path: name, message: `threw: ${reasonOf(error)}` }], error)
  }
  if (!Array.isArray(specs)) {
    refuse(where, [{ path: name, message: `expected an array of files, got ${describe(specs)}` }])
  }
  const list = specs as readonly DocumentSpec[]
  list.forEach((spec, index) => {
    check(`${where}: ${name}()[${index}]`, specSchema, spec)
  })
  return list
}
