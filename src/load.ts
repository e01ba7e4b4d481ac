import { type LoadedContext, loadContext } from './context/inject.js'
import { reasonOf, warning } from './diagnostics.js'
import { PromptError } from './errors.js'
import type { Layer } from './ports/layer.js'
import type { Diagnostic, WorkspaceSnapshot } from './ports/prompt.js'
import { withDeadline } from './workspace/deadline.js'
import { filesOfRun, loadFiles } from './workspace/load-files.js'
import { isShownAt, type Run } from './workspace/run.js'

/** Files, the layers' own data and context, side by side. The only stage that waits for anything. */
export async function load(run: Run): Promise<WorkspaceSnapshot> {
  run.turn.signal?.throwIfAborted()
  const loading = run.agent.layers.filter(
    (layer) => layer.load !== undefined && isShownAt(layer.detail, run.turn.detail),
  )
  // Most turns read files and nothing else, and then there is nothing to wait for side by side.
  const [files, data, context] =
    loading.length === 0 && run.agent.injectors.length === 0
      ? [await loadFiles(run), noData, noContext]
      : await Promise.all([loadFiles(run), loadData(run, loading), loadContext(run)])
  const { kind, memory } = run.turn.session
  return Object.freeze({
    documents: Object.freeze(files.documents),
    notes: files.notes,
    session: Object.freeze({ kind, memory }),
    data: Object.freeze(data.data),
    context: Object.freeze(context.context),
    diagnostics: Object.freeze([...files.diagnostics, ...data.diagnostics, ...context.diagnostics]),
  })
}

interface LoadedData {
  readonly data: Readonly<Record<string, unknown>>
  readonly diagnostics: readonly Diagnostic[]
}

const noData: LoadedData = { data: {}, diagnostics: [] }
const noContext: LoadedContext = { context: [], diagnostics: [] }

async function loadData(run: Run, loading: readonly Layer<unknown>[]): Promise<LoadedData> {
  const { agent, turn } = run
  const diagnostics: Diagnostic[] = []
  const files = filesOfRun(run)
  const entries = await Promise.all(
    loading.map(async (layer) => {
      const outcome = await withDeadline(
        async ({ signal }) => layer.load?.(turn, { files, signal }),
        agent.deadlines.files,
        turn.signal,
      )
      if (outcome.state === 'done') return [[layer.id, outcome.value] as const]
      const late = `took longer than ${agent.deadlines.files} ms`
      const error = outcome.state === 'failed' ? outcome.error : undefined
      failed(layer, outcome.state === 'late' ? late : `threw: ${reasonOf(error)}`, error, run, diagnostics)
      return []
    }),
  )
  return { data: Object.fromEntries(entries.flat()), diagnostics }
}

function failed(layer: Layer<unknown>, why: string, cause: unknown, { agent }: Run, diagnostics: Diagnostic[]): void {
  const message = `Loading the data of the layer ${layer.id} ${why}.`
  if (agent.onLayerError === 'throw') {
    throw new PromptError('layer-failed', message, { cause, data: { layer: layer.id } })
  }
  diagnostics.push(warning('load-failed', `${message} It renders without them.`, { section: layer.id }))
}
