import { once } from './plain-data.js'
import type { Agent } from './ports/agent.js'
import type { DiagnosticCode, SystemPrompt, WorkspaceSnapshot } from './ports/prompt.js'
import type { Run } from './workspace/run.js'
import { sameItems, slotOf, type WatchedTurn, watchTurn } from './workspace/watched-turn.js'

interface Remembered {
  readonly watched: WatchedTurn
  readonly snapshot: WorkspaceSnapshot
  readonly prompt: SystemPrompt
}

/** What failed once may go right the next time. */
const transient: readonly DiagnosticCode[] = ['layer-failed', 'counter-failed']

const remembered = new WeakMap<Agent, Map<string, Remembered>>()

/**
 * The prompt of last time, if this turn's files are the very same objects, its data equal and it differs in nothing that
 * a layer looked at; else a new one. Since the stages are pure, nobody can tell which it was.
 */
export function rememberPrompt(snapshot: WorkspaceSnapshot, run: Run, build: (run: Run) => SystemPrompt): SystemPrompt {
  // What went wrong once may go right the next time.
  if (snapshot.diagnostics.length > 0 || run.diagnostics.length > 0) return build(run)
  const slots = once(remembered, run.agent, () => new Map<string, Remembered>())
  const slot = slotOf(run.turn)
  const last = slots.get(slot)
  if (last?.watched.fits(run.turn) && sameFindings(last.snapshot, snapshot)) return last.prompt
  const watched = watchTurn(run.turn)
  const prompt = build({ ...run, turn: watched.view })
  if (!prompt.diagnostics.some(({ code }) => transient.includes(code))) slots.set(slot, { watched, snapshot, prompt })
  return prompt
}

function sameFindings(a: WorkspaceSnapshot, b: WorkspaceSnapshot): boolean {
  return (
    sameItems(a.documents, b.documents) &&
    b.documents.every(Object.isFrozen) &&
    sameItems(a.notes, b.notes) &&
    sameData(a, b)
  )
}

/** The same object may hold something else by now, so only values that cannot change are known to be the same. */
function sameData(a: WorkspaceSnapshot, b: WorkspaceSnapshot): boolean {
  const [one, other] = [Object.entries(a.data).flat(), Object.entries(b.data).flat()]
  const isFixed = (value: unknown) => (typeof value !== 'object' && typeof value !== 'function') || value === null
  return (
    sameItems(one, other) &&
    one.every(isFixed) &&
    a.session?.kind === b.session?.kind &&
    a.session?.memory === b.session?.memory
  )
}
