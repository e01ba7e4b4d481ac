import type { Agent } from '../ports/agent.js'
import type { Preference } from '../ports/persona.js'
import type { Turn } from '../ports/turn.js'
import { check } from '../validation.js'
import { audienceRow, mayInject } from '../workspace/audience.js'
import { calendarDay } from '../workspace/calendar.js'
import type { Run } from '../workspace/run.js'
import { checkAgent } from './define-agent.js'
import { turnSchema } from './schemas.js'
import { resolveTools } from './tools.js'

/** Whether memory is on: the first that is set, left to right. Memory is on where nobody says anything. */
export function resolveMemory(
  from: {
    /** What the user chose for this conversation. */
    readonly explicit?: boolean | undefined
    /** What held when the conversation was first seen, as its prompt's `memory` said. */
    readonly frozen?: boolean | undefined
    /** What holds for new conversations. Default `true`. */
    readonly default?: boolean | undefined
  } = {},
): boolean {
  return from.explicit ?? from.frozen ?? from.default ?? true
}

/** Validates a turn and fills in every default; the stages behind it ask no more questions. */
export function resolveTurn(agent: Agent, turn: Turn, defaultNow?: () => Date): Run {
  checkAgent(agent)
  check('turn', turnSchema, turn)
  const kind = turn.session?.kind ?? 'main'
  const session = {
    id: turn.session?.id ?? 'default',
    kind,
    memory: resolveMemory({ explicit: turn.session?.memory, default: agent.memory }),
  }
  const now = turn.now === undefined ? defaultNow?.() : new Date(turn.now)
  const timeZone = turn.timeZone ?? agent.timeZone
  const { tools, toolNames, diagnostics } = resolveTools(agent, turn.tools)
  const audience = audienceRow(agent.audience, session)
  return {
    agent,
    turn: Object.freeze({
      session: Object.freeze(session),
      now,
      timeZone,
      today: now === undefined ? undefined : calendarDay(now, timeZone),
      input: turn.input,
      hints: Object.freeze([...new Set((turn.hints ?? []).map((hint) => hint.trim()))].filter((hint) => hint !== '')),
      mode: turn.mode && Object.freeze({ name: turn.mode.name, style: turn.mode.style }),
      // They are as private as memory: nobody behind this line can show them to a session that may not see it.
      preferences: mayInject(audience, true) ? preferencesOf(turn) : none,
      tools,
      toolNames,
      detail: turn.detail ?? (kind === 'subagent' ? 'minimal' : 'full'),
      signal: turn.signal,
    }),
    audience,
    diagnostics,
  }
}

const none: readonly Preference[] = Object.freeze([])

function preferencesOf({ preferences }: Turn): readonly Preference[] {
  if (preferences === undefined) return none
  return Object.freeze(preferences.map(({ key, value }) => Object.freeze({ key, value })))
}
