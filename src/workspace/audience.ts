import { merged } from '../plain-data.js'
import type { AudienceRow, AudienceTable, PartialAudienceTable } from '../ports/agent.js'
import type { DocumentSpec } from '../ports/document.js'
import type { ResolvedTurn, SessionKind } from '../ports/turn.js'

type Session = ResolvedTurn['session']

/** Files of one kind of turn: `*` does not take them in, a row must name them. */
const reserved: ReadonlySet<string> = new Set(['BOOTSTRAP.md', 'HEARTBEAT.md', 'BOOT.md'])

const memoryFiles = ['USER.md', 'MEMORY.md', 'memory.md', 'memory/']
const personal = ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'TOOLS.md']

const mainOn: AudienceRow = { shown: ['*', 'BOOTSTRAP.md'], read: 'shown', write: memoryFiles, injectors: 'all' }
const mainOff: AudienceRow = { shown: personal, read: ['SOUL.md'], write: [], injectors: 'public' }
const outsideOn: AudienceRow = { shown: [...personal, 'USER.md'], read: 'shown', write: [], injectors: 'public' }
const outsideOff: AudienceRow = { shown: personal, read: 'shown', write: [], injectors: 'public' }
const subagent: AudienceRow = { shown: ['AGENTS.md', 'TOOLS.md'], read: 'shown', write: [], injectors: 'none' }

/** Who sees what, unless the host says otherwise. */
export const defaultAudience: AudienceTable = {
  main: { on: mainOn, off: mainOff },
  group: { on: outsideOn, off: outsideOff },
  subagent: { on: subagent, off: subagent },
  cron: { on: outsideOn, off: outsideOff },
  heartbeat: {
    on: { ...mainOn, shown: ['*', 'HEARTBEAT.md'], write: [] },
    off: { ...mainOff, shown: [...personal, 'HEARTBEAT.md'], read: 'shown' },
  },
  boot: {
    on: { ...mainOn, shown: ['*', 'BOOT.md'] },
    off: { ...mainOff, shown: [...personal, 'BOOT.md'] },
  },
}

/** The default table with the host's rows over it, field by field. */
export function mergeAudience(changes: PartialAudienceTable | undefined): AudienceTable {
  const kinds = Object.keys(defaultAudience) as SessionKind[]
  return Object.fromEntries(
    kinds.map((kind) => {
      const { on, off } = defaultAudience[kind]
      const own = changes?.[kind]
      return [kind, { on: merged<AudienceRow>(on, own?.on), off: merged<AudienceRow>(off, own?.off) }]
    }),
  ) as AudienceTable
}

export function audienceRow(table: AudienceTable, session: Session): AudienceRow {
  return table[session.kind][session.memory ? 'on' : 'off']
}

/** Whether the prompt of this session may show the file. */
export function mayShow(row: AudienceRow, session: Session, spec: Pick<DocumentSpec, 'path' | 'audience'>): boolean {
  const { audience } = spec
  if (audience === undefined) return covers(row.shown, spec.path)
  const kinds = audience.kinds
  return (kinds === undefined || kinds.includes(session.kind)) && (session.memory || audience.private === false)
}

/** Whether the model's tools may read a file that the prompt shows. */
export function mayRead(row: AudienceRow, path: string): boolean {
  return row.read === 'shown' || covers(row.read, path)
}

/** Whether the model's tools may write the file. */
export function mayWrite(row: AudienceRow, path: string): boolean {
  return covers(row.write, path)
}

/** Whether daily notes may be looked at, their folder's listing included. */
export function mayShowNotes(row: AudienceRow): boolean {
  return covers(row.shown, 'memory/')
}

/** Whether this session may be given an injector's text. */
export function mayInject(row: AudienceRow, isPrivate: boolean): boolean {
  return row.injectors === 'all' || (row.injectors === 'public' && !isPrivate)
}

function covers(patterns: readonly string[], path: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === path ||
      (pattern === '*' && !reserved.has(path)) ||
      (pattern.endsWith('/') && path.startsWith(pattern)),
  )
}
