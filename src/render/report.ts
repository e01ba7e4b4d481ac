import type { Cut } from '../budget/cut.js'
import type { Fitted, FittedSection } from '../budget/fit.js'
import { keptBy } from '../budget/truncate.js'
import { info, warning } from '../diagnostics.js'
import type { Composed } from '../layers/compose.js'
import { levelOf } from '../layers/file-sections.js'
import { type Heading, headingsOf } from '../markdown/structure.js'
import { freezeDeep, once } from '../plain-data.js'
import type { Agent } from '../ports/agent.js'
import type { DocumentNote, DocumentSpec } from '../ports/document.js'
import type { LayerDocument } from '../ports/layer.js'
import type { Diagnostic, DiagnosticCode, Source, SourceState } from '../ports/prompt.js'
import type { Run } from '../workspace/run.js'

/** One entry a file, the manifest's first, then those that layers asked for. */
export function reportSources(
  { sections: fitted }: Fitted,
  shown: readonly FittedSection[],
  composed: Composed,
  { agent }: Run,
): readonly Source[] {
  const isShown = new Set(shown)
  const showings = new Map<LayerDocument | undefined, Showing[]>()
  for (const section of fitted) {
    const { file } = section.draft
    const showing = { section, isShown: isShown.has(section) }
    const known = showings.get(file)
    if (known === undefined) showings.set(file, [showing])
    else known.push(showing)
  }
  const byManifest = new Map<DocumentSpec, Source>()
  const others: Source[] = []
  for (const view of composed.documents) {
    if (view.spec.optional && view.state === 'missing') continue
    const source = sourceOf(view, showings.get(view) ?? [], composed)
    if (agent.documents.includes(view.spec)) byManifest.set(view.spec, source)
    else others.push(source)
  }
  for (const spec of composed.filtered) {
    byManifest.set(
      spec,
      Object.freeze({ path: spec.path, layer: spec.layer, state: 'filtered', rawChars: 0, keptChars: 0 }),
    )
  }
  const ordered = agent.documents.map((spec) => byManifest.get(spec)).filter((source) => source !== undefined)
  return Object.freeze([...ordered, ...others])
}

/** One section that shows a file, or would if there were room. */
interface Showing {
  readonly section: FittedSection
  readonly isShown: boolean
}

/** A layer may show a file in several sections, or a text in its place: what counts is what they are made of. */
function sourceOf(view: LayerDocument, showings: readonly Showing[], composed: Composed): Source {
  const { document, path, spec } = view
  const state = stateOf(view, showings, composed)
  const isThere = view.state === 'present'
  const lengths = showings.map(({ section }) => section.draft.text?.length ?? view.total)
  const kept = showings.map(({ section, isShown }, index) => {
    if (!isThere || !isShown) return 0
    return section.cut === undefined ? (lengths[index] ?? 0) : sum(Object.values(keptBy(section.cut)))
  })
  const [only] = showings.length === 1 ? showings : []
  const ends = only?.isShown && only.section.cut !== undefined ? keptBy(only.section.cut) : undefined
  return Object.freeze({
    path,
    layer: spec.layer,
    state,
    rawChars: isThere ? (lengths.length > 1 ? sum(lengths) : view.total) : 0,
    ...(isThere && document.approximate && { approximate: true as const }),
    keptChars: sum(kept),
    ...(ends !== undefined && { kept: Object.freeze(ends) }),
    ...(document.version !== undefined && { version: document.version }),
    ...(document.stale && { stale: true as const }),
    ...(document.metadata !== undefined && { metadata: document.metadata }),
  })
}

function stateOf(view: LayerDocument, showings: readonly Showing[], composed: Composed): SourceState {
  if (composed.duplicates.has(view)) return 'dropped'
  if (composed.withheld.has(view)) return 'filtered'
  if (view.state !== 'present') return view.state
  if (!showings.some(({ isShown }) => isShown)) return 'dropped'
  const isWhole = showings.every(({ section, isShown }) => isShown && section.cut === undefined)
  return isWhole ? 'included' : 'truncated'
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

/** What the run gathered on its way, then what the files and their cuts give reason to say. */
export function reportDiagnostics(
  fitted: Fitted,
  shown: readonly FittedSection[],
  composed: Composed,
  { agent }: Run,
): readonly Diagnostic[] {
  const diagnostics = [...composed.diagnostics, ...fitted.diagnostics]
  // Where the whole store failed, that has been said once for all of its files.
  const storeFailed = diagnostics.some(({ code }) => code === 'files-failed')
  for (const view of [...composed.documents, ...composed.hidden]) {
    const notes = view.document.notes.filter(({ code }) => !(storeFailed && code === 'unreadable'))
    for (const note of notes) diagnostics.push(noteDiagnostic(note, view.path))
  }
  diagnostics.push(...unused(composed))
  const isShown = new Set(shown)
  for (const section of fitted.sections) diagnostics.push(...sizeDiagnostics(section, isShown.has(section), agent))
  if (agent.delimiter === 'heading') diagnostics.push(...collisions(shown, agent))
  if (composed.documents.length > 0 && composed.documents.every((view) => view.state === 'missing')) {
    const paths = composed.documents.map((view) => view.path).join(', ')
    const message = `No workspace file was found in ${agent.files.name}; looked for ${paths}.`
    diagnostics.push(warning('workspace-empty', message))
  }
  return Object.freeze(diagnostics.map((diagnostic) => freezeDeep(diagnostic)))
}

const noteCodes: Readonly<Record<DocumentNote['code'], DiagnosticCode>> = {
  unreadable: 'file-unreadable',
  lossy: 'file-lossy',
  stale: 'file-stale',
  sanitized: 'text-sanitized',
  'front-matter-invalid': 'front-matter-invalid',
  'front-matter-kept': 'front-matter-kept',
}

function noteDiagnostic({ code, message, data }: DocumentNote, path: string): Diagnostic {
  const report = code === 'front-matter-kept' ? info : warning
  return report(noteCodes[code], message, { path, ...(data !== undefined && { data }) })
}

/** A file that is there, and that its layer does nothing with: more likely a slip than a wish. */
function unused(composed: Composed): readonly Diagnostic[] {
  const used = new Set(composed.sections.map(({ draft }) => draft.file))
  return composed.documents
    .filter(
      (view) =>
        view.state === 'present' &&
        !view.spec.optional &&
        !used.has(view) &&
        !composed.duplicates.has(view) &&
        !composed.withheld.has(view),
    )
    .map(({ path, spec }) =>
      warning('file-unused', `${path} is there, and the layer ${spec.layer} did not show it.`, { path }),
    )
}

function sizeDiagnostics(section: FittedSection, isShown: boolean, agent: Agent): readonly Diagnostic[] {
  const { id, draft, cut, cap } = section
  // A cut may leave nothing to show.
  if (section.dropped || (cut !== undefined && !isShown)) return [dropped(section)]
  const { file } = draft
  if (file === undefined) return cut === undefined ? [] : [textCut(section, draft.text ?? '', cut)]
  if (file.state !== 'present') return []
  const { max } = file.limit
  const details = { path: file.path, section: id }
  const total = draft.text?.length ?? file.total
  if (cut !== undefined) {
    const { head, tail } = keptBy(cut)
    const about = draft.text === undefined && file.document.approximate ? 'about ' : ''
    const message = `${file.path} has ${about}${total} chars and ${roomOf(section)}: ${shownOf(cut)}.`
    const data = { rawChars: total, keptChars: head + tail, cap }
    return [warning('file-truncated', message, { ...details, data })]
  }
  if (total < max * agent.thresholds.nearCap) return []
  const message = `${file.path} has ${total} chars, ${Math.floor((total / max) * 100)} % of its cap of ${max}.`
  return [warning('file-near-cap', message, { ...details, data: { rawChars: total, cap: max } })]
}

function textCut(section: FittedSection, { length }: string, cut: Cut): Diagnostic {
  const { head, tail } = keptBy(cut)
  const { id, cap } = section
  const message = `The section ${id} has ${length} chars and ${roomOf(section)}: ${shownOf(cut)}.`
  return warning('section-truncated', message, { section: id, data: { rawChars: length, keptChars: head + tail, cap } })
}

function shownOf(cut: Cut): string {
  const { head, tail } = keptBy(cut)
  if (cut.leftOut === undefined) return `the first ${head} and the last ${tail} are shown`
  const { names, count } = cut.leftOut
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  const left =
    names.length === 0 ? `${count} of its sections are` : `${names.join(', ')}${more} ${count === 1 ? 'is' : 'are'}`
  return `${head} of them are shown, and ${left} left out`
}

/** What could be widened. */
function roomOf({ cap, room }: FittedSection): string {
  if (room === undefined) return `a cap of ${cap}`
  return `room for ${cap} in the ${room.of === 'share' ? `share ${room.name}` : 'total budget'}`
}

function dropped(section: FittedSection): Diagnostic {
  const { id, draft, content } = section
  const path = draft.file?.path
  const size = content === undefined ? '' : `, which has ${content.total} chars,`
  const why = section.dropped ? 'the total budget has no room for its least' : `it has ${roomOf(section)}`
  const message = `The section ${id}${size} is dropped: ${why}.`
  const data = { rawChars: content?.total ?? 0, keptChars: 0 }
  return warning('section-dropped', message, { ...(path !== undefined && { path }), section: id, data })
}

const headings = new WeakMap<LayerDocument, readonly Heading[]>()

/** Where files stand bare, one that has a heading like ours reads as if the section ended there. */
function collisions(shown: readonly FittedSection[], agent: Agent): readonly Diagnostic[] {
  const ours = new Set(shown.flatMap(({ draft }) => draft.headings ?? []))
  return shown.flatMap(({ id, draft }) => {
    const { file } = draft
    if (file === undefined || file.state !== 'present' || draft.frame === 'bare') return []
    const down = agent.demoteHeadings ? levelOf(draft.headings) : 0
    const heading = (draft.text === undefined ? headingsIn(file) : headingsOf(draft.text))
      .map(({ level, title }) => `${'#'.repeat(Math.min(6, level + down))} ${title}`)
      .find((line) => ours.has(line))
    if (heading === undefined) return []
    const message = `${file.path} has the heading ${JSON.stringify(heading)}, which is also one of the prompt's; demoteHeadings: true moves it below.`
    return [warning('heading-collision', message, { path: file.path, section: id, data: { heading } })]
  })
}

function headingsIn(file: LayerDocument): readonly Heading[] {
  return once(headings, file, () => headingsOf(file.content))
}
