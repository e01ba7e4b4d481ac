import { info, warning } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import type { Document, DocumentSpec } from '../ports/document.js'
import type { Layer, LayerDocument, LayerInput, SectionDraft } from '../ports/layer.js'
import type { Diagnostic, WorkspaceSnapshot } from '../ports/prompt.js'
import { describe } from '../validation.js'
import { mayRead, mayWrite } from '../workspace/audience.js'
import { noteDay, omittedNotes } from '../workspace/daily-notes.js'
import { missingDocument } from '../workspace/documents.js'
import { reportLayerFailure } from '../workspace/layer-failure.js'
import { type NoteScope, scopeOf } from '../workspace/note-scope.js'
import { priorities } from '../workspace/priorities.js'
import { isShownAt, type Run } from '../workspace/run.js'
import { specsOf } from '../workspace/specs.js'
import { layerDocument } from '../workspace/views.js'
import { checkedDraft } from './check-draft.js'
import { visibleData, visibleDiagnostics, visibleNotes } from './visible.js'

/** What the layers made of a snapshot, in prompt order, before anything is cut or framed. */
export interface Composed {
  readonly sections: readonly ComposedSection[]
  /** Every file of the turn, shown by a section or not, but hidden ones. */
  readonly documents: readonly LayerDocument[]
  /** Files that layers read for their own use. */
  readonly hidden: readonly LayerDocument[]
  /** Files that the session may not see. */
  readonly filtered: readonly DocumentSpec[]
  /** Files shown already under another name. */
  readonly duplicates: ReadonlySet<LayerDocument>
  /** Notes that say themselves that they are not for this session. */
  readonly withheld: ReadonlySet<LayerDocument>
  readonly diagnostics: readonly Diagnostic[]
}

export interface ComposedSection {
  readonly id: string
  readonly layer: string
  readonly stability: Layer['stability']
  /** What is lower yields first under a total budget; `Infinity` never does. */
  readonly priority: number
  readonly draft: SectionDraft
}

/** Gives each layer its files and collects what it says. What the turn may not show is left out here once more. */
export function compose(snapshot: WorkspaceSnapshot, run: Run): Composed {
  const { agent, turn } = run
  const notes = visibleNotes(snapshot, run)
  const diagnostics: Diagnostic[] = [...run.diagnostics, ...visibleDiagnostics(snapshot, run)]
  const { shown, filtered, repeated, failed, ...own } = specsOf(run, notes)
  for (const { layer, error } of failed) reportLayerFailure(layer, error, run, diagnostics)
  const byPath = new Map(snapshot.documents.map((document) => [document.path, document]))
  const viewOf = (spec: DocumentSpec) => layerDocument(agent, spec, documentFor(spec, byPath, diagnostics))
  const documents = shown.map(viewOf)
  // What is shown anyway need not be looked at twice.
  const hidden = own.hidden.filter(({ path }) => !shown.some((spec) => spec.path === path)).map(viewOf)
  for (const view of documents) if (view.spec.required) checkRequired(view, diagnostics)
  const duplicates = duplicatesIn(documents, diagnostics)
  const withheld = withheldIn(documents, diagnostics)
  const given = documents.filter((document) => !duplicates.has(document) && !withheld.has(document))
  reportRepeated(repeated, shown, diagnostics)
  reportOmittedNotes(run, notes, diagnostics)
  const found = { documents: Object.freeze(given), hidden, notes, data: visibleData(snapshot, run) }

  const sections = agent.layers
    .filter((layer) => isShownAt(layer.detail, turn.detail))
    .flatMap((layer) => renderLayer(layer, inputFor(layer, found, run), run, diagnostics))
  return { sections, documents, hidden, filtered, duplicates, withheld, diagnostics }
}

function documentFor(spec: DocumentSpec, byPath: ReadonlyMap<string, Document>, diagnostics: Diagnostic[]): Document {
  const document = byPath.get(spec.path)
  const other = spec.fallback === undefined ? undefined : byPath.get(spec.fallback)
  const isThere = document !== undefined && document.state !== 'missing'
  if (!isThere)
    return other !== undefined && other.state !== 'missing' ? other : (document ?? missingDocument(spec.path))
  const isOther =
    other !== undefined && other.state === 'present' && (other.id === undefined || other.id !== document.id)
  if (isOther && other.text !== document.text) {
    const message = `Both ${spec.path} and ${other.path} are there and differ; ${spec.path} is used.`
    diagnostics.push(warning('file-conflict', message, { path: spec.path, data: { other: other.path } }))
  }
  return document
}

/** What the host counts on must not be left out of a prompt in silence. */
function checkRequired({ spec, path, state, document }: LayerDocument, diagnostics: Diagnostic[]): void {
  const { layer } = spec
  if (state === 'empty') {
    diagnostics.push(
      warning('file-empty', `The ${layer} file ${path} is empty: the prompt is built without it.`, { path }),
    )
  }
  if (state !== 'missing' && state !== 'unreadable') return
  const why = document.notes.find(({ code }) => code === 'unreadable')?.message.replace(/\.$/, '')
  const message = `The ${layer} file ${why ?? `${path} is missing`}; a prompt is not built without it.`
  throw new PromptError('layer-failed', message, { data: { layer, path } })
}

/** Two names of one file, by a link or a disk that ignores case: the first in the order of the specs is shown. */
function duplicatesIn(documents: readonly LayerDocument[], diagnostics: Diagnostic[]): ReadonlySet<LayerDocument> {
  const first = new Map<string, LayerDocument>()
  const duplicates = new Set<LayerDocument>()
  for (const view of documents) {
    if (view.state === 'missing') continue
    const key = view.document.id ?? `path:${view.path}`
    const known = first.get(key)
    if (known === undefined) first.set(key, view)
    else {
      duplicates.add(view)
      const message = `${view.path} and ${known.path} are one file; it is shown once, as ${known.path} by the layer ${known.spec.layer}.`
      diagnostics.push(warning('file-duplicate', message, { path: view.path, data: { sameAs: known.path } }))
    }
  }
  return duplicates
}

function withheldIn(documents: readonly LayerDocument[], diagnostics: Diagnostic[]): ReadonlySet<LayerDocument> {
  const withheld = new Set<LayerDocument>()
  for (const view of documents) {
    if (view.state !== 'present' || noteDay(view.path) === undefined) continue
    const scope = scopeOf(view)
    if (scope.state === 'whole') continue
    if (scope.state === 'withheld') withheld.add(view)
    diagnostics.push(info('notes-omitted', omission(view.path, scope), { path: view.path }))
  }
  return withheld
}

function omission(path: string, scope: Exclude<NoteScope, { readonly state: 'whole' }>): string {
  if (scope.state === 'withheld') {
    return `${path} is not shown: by its own word (${scope.reason}) it is not for the main session.`
  }
  const count = scope.withheld.length === 1 ? '1 entry' : `${scope.withheld.length} entries`
  const words = [...new Set(scope.withheld)].join(', ')
  return `${path} is shown without ${count}: by own word (${words}) not for the main session.`
}

function reportRepeated(
  repeated: readonly DocumentSpec[],
  shown: readonly DocumentSpec[],
  diagnostics: Diagnostic[],
): void {
  for (const { path } of repeated) {
    const layer = shown.find((spec) => spec.path === path)?.layer
    const message = `${path} is asked for twice; it is shown once, by the layer ${layer}.`
    diagnostics.push(warning('file-duplicate', message, { path }))
  }
}

function reportOmittedNotes(run: Run, names: readonly string[] | undefined, diagnostics: Diagnostic[]): void {
  const omitted = names === undefined ? [] : omittedNotes(run.agent, run.turn, names)
  if (omitted.length === 0) return
  const message = `${omitted.length} daily notes are not shown, as their days have more files than are shown: ${omitted.slice(0, 8).join(', ')}.`
  diagnostics.push(warning('notes-omitted', message, { data: { names: omitted } }))
}

interface Found {
  readonly documents: readonly LayerDocument[]
  readonly hidden: readonly LayerDocument[]
  readonly notes: readonly string[] | undefined
  readonly data: Readonly<Record<string, unknown>>
}

function inputFor(layer: Layer<unknown>, found: Found, { agent, turn, audience }: Run): LayerInput<unknown> {
  const { documents, hidden, notes, data } = found
  return {
    agent,
    turn,
    texts: agent.texts,
    documents: Object.freeze(documents.filter((view) => view.spec.layer === layer.id).sort(byOrder)),
    document: (path) => [...documents, ...hidden].find((view) => view.path === path || view.spec.path === path),
    allDocuments: documents,
    toolFor: (role, path) => {
      const reaches = role === 'read' ? mayRead(audience, path) : mayWrite(audience, path)
      return reaches ? turn.toolNames[role] : undefined
    },
    notes,
    data: Object.hasOwn(data, layer.id) ? data[layer.id] : undefined,
  }
}

function byOrder(a: LayerDocument, b: LayerDocument): number {
  return (a.spec.order ?? 0) - (b.spec.order ?? 0)
}

function renderLayer(
  layer: Layer<unknown>,
  input: LayerInput<unknown>,
  run: Run,
  diagnostics: Diagnostic[],
): readonly ComposedSection[] {
  try {
    const drafts: unknown = layer.render(input)
    if (!Array.isArray(drafts)) throw new TypeError(`render: expected an array of sections, got ${describe(drafts)}`)
    return drafts.map((given) => {
      const draft = checkedDraft(given, input)
      const about = draft.file === undefined ? {} : { path: draft.file.path }
      for (const note of draft.notes ?? []) diagnostics.push(info('layer-note', note, { section: layer.id, ...about }))
      return {
        id: draft.id ?? (draft.file === undefined ? layer.id : `${layer.id}/${draft.file.path}`),
        layer: layer.id,
        stability: draft.stability ?? layer.stability,
        priority: priorityOf(draft),
        draft,
      }
    })
  } catch (error) {
    reportLayerFailure(layer, error, run, diagnostics)
    return []
  }
}

/** The host's own voice does not yield unless it says so. */
function priorityOf({ priority, file, frame }: SectionDraft): number {
  return priority ?? file?.spec.priority ?? (frame === 'bare' ? priorities.never : priorities.own)
}
