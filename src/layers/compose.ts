import { reasonOf, warning } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import type { Document, DocumentSpec } from '../ports/document.js'
import type { Layer, LayerDocument, LayerInput, SectionDraft } from '../ports/layer.js'
import type { Diagnostic, WorkspaceSnapshot } from '../ports/prompt.js'
import { mayRead, mayWrite } from '../workspace/audience.js'
import { omittedNotes } from '../workspace/daily-notes.js'
import { missingDocument } from '../workspace/documents.js'
import { isShownAt, type Run } from '../workspace/run.js'
import { specsOf } from '../workspace/specs.js'
import { layerDocument } from '../workspace/views.js'

/** What the layers made of a snapshot, in prompt order, before anything is cut or framed. */
export interface Composed {
  readonly sections: readonly ComposedSection[]
  /** Every file of the turn, shown by a section or not. */
  readonly documents: readonly LayerDocument[]
  /** Files that the session may not see. */
  readonly filtered: readonly DocumentSpec[]
  /** Files shown already under another name. */
  readonly duplicates: ReadonlySet<LayerDocument>
  readonly diagnostics: readonly Diagnostic[]
}

export interface ComposedSection {
  readonly id: string
  readonly layer: string
  readonly stability: Layer['stability']
  readonly draft: SectionDraft
}

/** Gives each layer its files and collects what it says. What the turn may not show is left out here once more. */
export function compose(snapshot: WorkspaceSnapshot, run: Run): Composed {
  const { agent, turn } = run
  const diagnostics: Diagnostic[] = [...run.diagnostics, ...snapshot.diagnostics]
  const { shown, filtered, failed } = specsOf(run, snapshot.notes)
  for (const { layer, error } of failed) reportFailure(layer, error, run, diagnostics)
  const byPath = new Map(snapshot.documents.map((document) => [document.path, document]))
  const documents = shown.map((spec) => layerDocument(agent, spec, documentFor(spec, byPath, diagnostics)))
  const duplicates = duplicatesIn(documents, diagnostics)
  const unique = documents.filter((document) => !duplicates.has(document))
  reportOmittedNotes(run, snapshot.notes, diagnostics)

  const sections = agent.layers
    .filter((layer) => isShownAt(layer.detail, turn.detail))
    .flatMap((layer) => renderLayer(layer, inputFor(layer, unique, snapshot, run), run, diagnostics))
  return { sections, documents, filtered, duplicates, diagnostics }
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
      const names =
        view.path === known.path ? `${view.path} is asked for twice` : `${view.path} and ${known.path} are one file`
      const message = `${names}; it is shown once, as ${known.path} by the layer ${known.spec.layer}.`
      diagnostics.push(warning('file-duplicate', message, { path: view.path, data: { sameAs: known.path } }))
    }
  }
  return duplicates
}

function reportOmittedNotes(run: Run, names: readonly string[] | undefined, diagnostics: Diagnostic[]): void {
  const omitted = names === undefined ? [] : omittedNotes(run.agent, run.turn, names)
  if (omitted.length === 0) return
  const message = `${omitted.length} daily notes are not shown, as a day shows at most four files: ${omitted.slice(0, 8).join(', ')}.`
  diagnostics.push(warning('notes-omitted', message, { data: { names: omitted } }))
}

function inputFor(
  layer: Layer<unknown>,
  documents: readonly LayerDocument[],
  snapshot: WorkspaceSnapshot,
  { agent, turn, audience }: Run,
): LayerInput<unknown> {
  return {
    agent,
    turn,
    texts: agent.texts,
    documents: documents.filter((view) => view.spec.layer === layer.id).sort(byOrder),
    document: (path) => documents.find((view) => view.path === path || view.spec.path === path),
    allDocuments: documents,
    toolFor: (role, path) => {
      const reaches = role === 'read' ? mayRead(audience, path) : mayWrite(audience, path)
      return reaches ? turn.toolNames[role] : undefined
    },
    notes: snapshot.notes,
    data: Object.hasOwn(snapshot.data, layer.id) ? snapshot.data[layer.id] : undefined,
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
    return layer.render(input).map((draft) => {
      checkDraft(draft)
      return {
        id: draft.id ?? (draft.file === undefined ? layer.id : `${layer.id}/${draft.file.path}`),
        layer: layer.id,
        stability: draft.stability ?? layer.stability,
        draft,
      }
    })
  } catch (error) {
    reportFailure(layer, error, run, diagnostics)
    return []
  }
}

/** Layers are other people's code: what the later stages rely on is checked where it can still be blamed on one. */
function checkDraft({ text, headings, guidance, placeholder, file }: SectionDraft): void {
  for (const [name, value] of Object.entries({ text, guidance, placeholder })) {
    if (value !== undefined && typeof value !== 'string') {
      throw new TypeError(`${name} of a section: expected a string, got ${typeof value}`)
    }
  }
  if (headings?.some((heading) => !/^#{1,6} [^\n]+$/.test(heading))) {
    throw new TypeError("headings of a section: expected Markdown headings of one line, such as '# Mood'")
  }
  if (file !== undefined && typeof file.content !== 'string') {
    throw new TypeError('file of a section: expected one of the documents that the layer was given')
  }
}

function reportFailure(layer: Layer<unknown>, error: unknown, { agent }: Run, diagnostics: Diagnostic[]): void {
  // What a layer refuses to build without is the build's error, never a missing section.
  if (error instanceof PromptError) throw error
  const message = `The layer ${layer.id} threw: ${reasonOf(error)}.`
  if (agent.onLayerError === 'throw') {
    throw new PromptError('layer-failed', message, { cause: error, data: { layer: layer.id } })
  }
  diagnostics.push(warning('layer-failed', `${message} Its sections are left out.`, { section: layer.id }))
}
