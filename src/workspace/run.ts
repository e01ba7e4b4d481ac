import type { Agent, AudienceRow } from '../ports/agent.js'
import type { Diagnostic } from '../ports/prompt.js'
import type { Detail, ResolvedTurn } from '../ports/turn.js'

/** One build: the agent, its turn and what the turn may see. */
export interface Run {
  readonly agent: Agent
  readonly turn: ResolvedTurn
  readonly audience: AudienceRow
  /** What was noticed about the turn itself. */
  readonly diagnostics: readonly Diagnostic[]
}

const ranks: Readonly<Record<Detail, number>> = { none: 0, minimal: 1, full: 2 }

/** Whether a thing whose least detail is `least` is shown in a turn of detail `turn`. */
export function isShownAt(least: Detail | undefined, turn: Detail): boolean {
  return ranks[least ?? 'full'] <= ranks[turn]
}
