import type { PersonaMode, Preference } from './persona.js'
import type { Tool, ToolRegistry, ToolRole } from './tool.js'

export type SessionKind = 'main' | 'group' | 'subagent' | 'cron' | 'heartbeat' | 'boot'

/** `minimal`: safety, base, AGENTS.md, tools, TOOLS.md, clock, hints. `none`: safety and the identity line. */
export type Detail = 'full' | 'minimal' | 'none'

/** One request to the model. Everything is optional; `{}` is a turn of a main session with memory on. */
export interface Turn {
  readonly session?:
    | {
        readonly id?: string | undefined
        /** Default `main`. */
        readonly kind?: SessionKind | undefined
        /** Default: the agent's `memory`. See {@link resolveMemory}. */
        readonly memory?: boolean | undefined
      }
    | undefined
  /** `buildSystemPrompt` takes the current time by default; elsewhere a turn without `now` has no clock and no notes. */
  readonly now?: Date | undefined
  /** An IANA zone. Default: the agent's `timeZone`. */
  readonly timeZone?: string | undefined
  /** The user's text, for injectors. */
  readonly input?: string | undefined
  /** Runtime notices for the end of the prompt. Blank ones are ignored, equal ones said once. */
  readonly hints?: readonly string[] | undefined
  /** The persona mode of the session. */
  readonly mode?: PersonaMode | undefined
  /** Long-term preferences. As private as memory: shown only where the session may have all injectors. */
  readonly preferences?: readonly Preference[] | undefined
  /** Default: the agent's `tools`. */
  readonly tools?: ToolRegistry | readonly Tool[] | undefined
  /** Default `full`; `minimal` for sub-agents. */
  readonly detail?: Detail | undefined
  /** Aborts the loading; the build rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A turn with every default filled in: what layers and injectors are given. */
export interface ResolvedTurn {
  readonly session: { readonly id: string; readonly kind: SessionKind; readonly memory: boolean }
  readonly now: Date | undefined
  readonly timeZone: string
  /** The calendar day of `now` in `timeZone`. */
  readonly today: CalendarDay | undefined
  readonly input: string | undefined
  readonly hints: readonly string[]
  readonly mode: PersonaMode | undefined
  /** Those that this session may see. */
  readonly preferences: readonly Preference[]
  /** In the order in which they are shown. */
  readonly tools: readonly Tool[]
  /** The name of the tool that has each role in this turn, where there is one. */
  readonly toolNames: Readonly<Partial<Record<ToolRole, string>>>
  readonly detail: Detail
  readonly signal: AbortSignal | undefined
}

export interface CalendarDay {
  readonly year: number
  /** 1–12 */
  readonly month: number
  readonly day: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** `2026-02-16` */
  readonly iso: string
}
