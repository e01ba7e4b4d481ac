import type { Agent, FileBudget } from '../ports/agent.js'
import type { Document, DocumentSpec } from '../ports/document.js'
import type { FileLimit, LayerDocument } from '../ports/layer.js'

/** What a layer sees of a document is the same object for as long as spec and document are: later stages cache by it. */
const views = new WeakMap<
  Document,
  { readonly agent: Agent; readonly spec: DocumentSpec; readonly view: LayerDocument }
>()

export function layerDocument(agent: Agent, spec: DocumentSpec, document: Document): LayerDocument {
  const known = views.get(document)
  if (known !== undefined && known.agent === agent && sameSpec(known.spec, spec)) return known.view
  const view = createView(agent, spec, document)
  // What a host wrote by hand it may change by hand: only what is frozen is known to stay the same.
  if (Object.isFrozen(document)) views.set(document, { agent, spec, view })
  return view
}

function createView(agent: Agent, spec: DocumentSpec, document: Document): LayerDocument {
  const body = agent.frontMatter === 'keep' ? 0 : document.body
  const content = body === 0 ? document.text : document.text.slice(body)
  return Object.freeze({
    spec,
    path: document.path,
    // Front matter alone is empty only while it is not shown.
    state: document.state === 'empty' && /\S/.test(content) ? 'present' : document.state,
    content,
    total: document.length - body,
    limit: fileLimit(agent, spec),
    document,
  })
}

/** Where the two ends of a large file meet in the view's content. */
export function gapOf(view: LayerDocument): number | undefined {
  const { gap, text } = view.document
  return gap === undefined ? undefined : Math.max(0, gap - (text.length - view.content.length))
}

function fileLimit(agent: Agent, spec: DocumentSpec): FileLimit {
  const { perFile, files, head, tail } = agent.budget
  const layers = [own(files, spec.path), spec.budget].map(asObject)
  const max = layers.find((budget) => budget.max !== undefined)?.max ?? perFile
  const soft = layers.find((budget) => budget.soft !== undefined)?.soft ?? max * agent.thresholds.nearLimit
  const strategy = layers.find((budget) => budget.strategy !== undefined)?.strategy ?? 'head-tail'
  const boundary = layers.find((budget) => budget.boundary !== undefined)?.boundary ?? 'exact'
  const stepped = layers.find((budget) => budget.stepped !== undefined)?.stepped ?? false
  const minimum = layers.find((budget) => budget.minimum !== undefined)?.minimum ?? 400
  return Object.freeze({ max, soft, head, tail, strategy, boundary, stepped, minimum })
}

function own(files: Readonly<Record<string, FileBudget>>, path: string): FileBudget | undefined {
  return Object.hasOwn(files, path) ? files[path] : undefined
}

function asObject(budget: FileBudget | undefined): Exclude<FileBudget, number> {
  return typeof budget === 'number' ? { max: budget } : (budget ?? {})
}

/** Specs that a layer makes, such as those of daily notes, are new objects each turn. */
function sameSpec(a: DocumentSpec, b: DocumentSpec): boolean {
  if (a === b) return true
  const [one, other] = [asObject(a.budget), asObject(b.budget)]
  return (
    a.path === b.path &&
    a.layer === b.layer &&
    a.title === b.title &&
    a.share === b.share &&
    a.priority === b.priority &&
    a.order === b.order &&
    a.optional === b.optional &&
    a.hidden === b.hidden &&
    a.required === b.required &&
    one.max === other.max &&
    one.soft === other.soft &&
    one.strategy === other.strategy &&
    one.boundary === other.boundary &&
    one.stepped === other.stepped &&
    one.minimum === other.minimum
  )
}
