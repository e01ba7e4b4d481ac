import type { Agent } from '../ports/agent.js'
import type { DocumentSpec } from '../ports/document.js'
import type { CalendarDay, ResolvedTurn } from '../ports/turn.js'
import { daysBefore } from './calendar.js'
import { priorities } from './priorities.js'

export const notesDirectory = 'memory'

/** `2026-02-16.md`, `2026-02-16-0930.md`, `2026-02-16-some-topic.md`, `2026-02-16_topic.md` */
const noteName = /^(\d{4}-\d{2}-\d{2})(?:[-_]([\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._-]{0,79}))?\.md$/u

/**
 * The notes of the last days, the oldest day first so that yesterday's, which no longer change, stand before today's.
 * Of one day at most `notes.files` files: the plain one, then those with a time (the newest first), then slugs in code-unit
 * order. They share the day's budget, and each keeps its newest end.
 *
 * @param names - the names in `memory/`; `undefined`: only the plain ones are asked for
 */
export function noteSpecs(
  agent: Agent,
  turn: ResolvedTurn,
  names: readonly string[] | undefined,
  layer: string,
): readonly DocumentSpec[] {
  const { today } = turn
  if (agent.notes === false || today === undefined) return []
  const { perDay, files } = agent.notes
  const wanted = lastDays(today, agent.notes.days)
  const byDay = names === undefined ? undefined : filesByDay(names, new Set(wanted))
  return wanted.flatMap((iso) =>
    (byDay === undefined ? [`${iso}.md`] : (byDay.get(iso) ?? []).slice(0, files)).map((name) => ({
      path: `${notesDirectory}/${name}`,
      layer,
      order: 100,
      budget: { max: perDay, strategy: 'newest' as const },
      share: iso,
      priority: priorities.notes,
      optional: true,
    })),
  )
}

/** The notes of the wanted days that are left out because a day has more files than are shown. */
export function omittedNotes(
  agent: Agent,
  turn: ResolvedTurn,
  names: readonly string[] | undefined,
): readonly string[] {
  const { today } = turn
  if (agent.notes === false || today === undefined || names === undefined) return []
  const { days, files } = agent.notes
  const wanted = lastDays(today, days)
  const byDay = filesByDay(names, new Set(wanted))
  return wanted.flatMap((iso) => byDay.get(iso)?.slice(files) ?? [])
}

/** The day of a note's path. */
export function noteDay(path: string): string | undefined {
  return path.startsWith(`${notesDirectory}/`) ? noteName.exec(path.slice(notesDirectory.length + 1))?.[1] : undefined
}

/** The oldest first, today last. */
function lastDays(today: CalendarDay, days: number): readonly string[] {
  return Array.from({ length: days }, (_, index) => daysBefore(today, days - 1 - index).iso)
}

function filesByDay(names: readonly string[], wanted: ReadonlySet<string>): Map<string, string[]> {
  const byDay = new Map<string, string[]>()
  for (const name of new Set(names)) {
    const day = name.slice(0, 10)
    if (!wanted.has(day) || !noteName.test(name)) continue
    const files = byDay.get(day)
    if (files === undefined) byDay.set(day, [name])
    else files.push(name)
  }
  for (const files of byDay.values()) files.sort(byRank)
  return byDay
}

function byRank(a: string, b: string): number {
  const rank = rankOf(a) - rankOf(b)
  if (rank !== 0) return rank
  const newestFirst = rankOf(a) === 1
  return a < b === newestFirst ? 1 : -1
}

function rankOf(name: string): 0 | 1 | 2 {
  const suffix = noteName.exec(name)?.[2]
  if (suffix === undefined) return 0
  return /^(?:[01]\d|2[0-3])[0-5]\d$/.test(suffix) ? 1 : 2
}
