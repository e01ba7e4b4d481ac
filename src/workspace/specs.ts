import { once } from '../plain-data.js'
import type { Agent } from '../ports/agent.js'
import type { DocumentSpec } from '../ports/document.js'
import type { Layer } from '../ports/layer.js'
import { mayShow } from './audience.js'
import { checkPath, normalizePath } from './paths.js'
import { isShownAt, type Run } from './run.js'
import { sameItems, slotOf, type WatchedTurn, watchTurn } from './watched-turn.js'

/** The files of one turn: those it shows, and those that its session may not see. */
export interface TurnSpecs {
  readonly shown: readonly DocumentSpec[]
  readonly filtered: readonly DocumentSpec[]
  /** Those that layers read for their own use. */
  readonly hidden: readonly DocumentSpec[]
  /** All paths to read, fallbacks included, each once. */
  readonly paths: readonly string[]
  /** Files asked for again, by a layer or the manifest. */
  readonly repeated: readonly DocumentSpec[]
  /** Layers that threw when asked for their files. */
  readonly failed: readonly { readonly layer: Layer<unknown>; readonly error: unknown }[]
}

interface Known {
  readonly watched: WatchedTurn
  readonly notes: readonly string[] | undefined
  readonly specs: TurnSpecs
}

const known = new WeakMap<Agent, Map<string, Known>>()

/** Pure: loading and composing ask the same question and get the same answer. */
export function specsOf(run: Run, notes: readonly string[] | undefined): TurnSpecs {
  const { agent, turn } = run
  const slots = once(known, agent, () => new Map<string, Known>())
  const last = slots.get(slotOf(turn))
  if (last?.watched.fits(turn) && sameItems(last.notes, notes)) return last.specs
  const watched = watchTurn(turn)
  const specs = collectSpecs({ ...run, turn: watched.view }, notes)
  // What threw once may not throw the next time.
  if (specs.failed.length === 0) slots.set(slotOf(turn), { watched, notes, specs })
  return specs
}

function collectSpecs({ agent, turn, audience }: Run, notes: readonly string[] | undefined): TurnSpecs {
  const shown: DocumentSpec[] = []
  const filtered: DocumentSpec[] = []
  const hidden: DocumentSpec[] = []
  const failed: { layer: Layer<unknown>; error: unknown }[] = []
  const layers = agent.layers.filter((layer) => isShownAt(layer.detail, turn.detail))
  const ids = new Set(layers.map((layer) => layer.id))
  const exclusive = new Set(layers.filter((layer) => layer.exclusive).map((layer) => layer.id))
  const repeated: DocumentSpec[] = []
  const add = (spec: DocumentSpec) => {
    if (mayShow(audience, turn.session, spec) && ids.has(spec.layer) && isShownAt(spec.detail, turn.detail)) {
      const list = shown.some((other) => other.path === spec.path) ? repeated : shown
      if (spec.hidden) hidden.push(spec)
      else list.push(spec)
    } else if (!spec.optional && !spec.hidden) {
      filtered.push(spec)
    }
  }
  // A layer's own wish comes first: a file that the host names as its base is that, even if the manifest has it too.
  for (const layer of layers) {
    if (layer.documents === undefined) continue
    try {
      for (const spec of documentsOfLayer(layer.documents(turn, { agent, notes }), layer.id)) add(spec)
    } catch (error) {
      failed.push({ layer, error })
    }
  }
  for (const spec of agent.documents) if (!exclusive.has(spec.layer)) add(spec)
  const paths = new Set(
    [...shown, ...hidden].flatMap(({ path, fallback }) => (fallback === undefined ? [path] : [path, fallback])),
  )
  return { shown, filtered, hidden, repeated, paths: [...paths], failed }
}

/** A layer asks for its own files alone, by paths that any file system takes. */
function documentsOfLayer(specs: readonly DocumentSpec[], layer: string): readonly DocumentSpec[] {
  return specs.map((spec) => {
    const path = normalizePath(spec.path)
    for (const asked of [path, spec.fallback ?? path]) {
      const why = checkPath(asked)
      if (why !== undefined) throw new TypeError(`the path ${JSON.stringify(asked)} ${why}`)
    }
    return spec.layer === layer && spec.path === path ? spec : { ...spec, layer, path }
  })
}
