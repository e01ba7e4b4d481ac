import type { ResolvedTurn } from './turn.js'

/** Fetches text that rides with this turn's user message, in a tagged block, and never in the system prompt. */
export interface ContextInjector {
  readonly name: string
  /** The block it fills: `[memory context]` for `memory`, the default. Injectors of one tag share a block. */
  readonly tag?: string | undefined
  /** Default `true`: not called with memory off, or in a group, cron or sub-agent session. */
  readonly private?: boolean | undefined
  /** `undefined` or a blank text adds nothing. A throw or a missed deadline costs a diagnostic, not the turn. */
  inject(
    turn: ResolvedTurn,
    options: { readonly signal: AbortSignal },
  ): Injection | undefined | Promise<Injection | undefined>
}

/** A text, or a text and where it comes from. */
export type Injection = string | { readonly text: string; readonly source?: string }
