import type { Preference } from '../ports/persona.js'
import type { ResolvedTurn } from '../ports/turn.js'

/**
 * A turn that knows what was looked at. A pure function that was given its `view` gives the same for every turn that
 * `fits`: what it did not look at cannot have changed what it said. The time, the input and the session's id differ
 * from turn to turn and hardly any layer asks for them; everything else is compared outright.
 */
export interface WatchedTurn {
  readonly view: ResolvedTurn
  fits(other: ResolvedTurn): boolean
}

export function watchTurn(turn: ResolvedTurn): WatchedTurn {
  const seen = { now: false, input: false, id: false }
  const { kind, memory } = turn.session
  const session = {
    get id() {
      seen.id = true
      return turn.session.id
    },
    kind,
    memory,
  }
  const view: ResolvedTurn = {
    ...turn,
    session: Object.freeze(session),
    get now() {
      seen.now = true
      // A date can be set, and the next layer must not see that.
      return turn.now === undefined ? undefined : new Date(turn.now)
    },
    get input() {
      seen.input = true
      return turn.input
    },
  }
  return {
    view: Object.freeze(view),
    fits: (other) =>
      sameSettings(turn, other) &&
      (!seen.now || turn.now?.getTime() === other.now?.getTime()) &&
      (!seen.input || turn.input === other.input) &&
      (!seen.id || turn.session.id === other.session.id),
  }
}

function sameSettings(a: ResolvedTurn, b: ResolvedTurn): boolean {
  return (
    a.session.kind === b.session.kind &&
    a.session.memory === b.session.memory &&
    a.detail === b.detail &&
    a.today?.iso === b.today?.iso &&
    a.timeZone === b.timeZone &&
    sameItems(a.hints, b.hints) &&
    a.mode?.name === b.mode?.name &&
    a.mode?.style === b.mode?.style &&
    samePreferences(a.preferences, b.preferences) &&
    sameItems(a.tools, b.tools)
  )
}

function samePreferences(a: readonly Preference[], b: readonly Preference[]): boolean {
  const isSame = ({ key, value }: Preference, index: number) => key === b[index]?.key && value === b[index]?.value
  return a.length === b.length && a.every(isSame)
}

/** Whether two lists hold the very same items; one that is not known is the same as another that is not. */
export function sameItems(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  if (a === b) return true
  return a !== undefined && a.length === b?.length && a.every((item, index) => item === b[index])
}

/** One slot for each way in which sessions of one agent differ for long. */
export function slotOf({ session, detail }: ResolvedTurn): string {
  return `${session.kind} ${session.memory} ${detail}`
}
