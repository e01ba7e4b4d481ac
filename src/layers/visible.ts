import { frozenList } from '../plain-data.js'
import type { Diagnostic, WorkspaceSnapshot } from '../ports/prompt.js'
import { mayInject, mayShow, mayShowNotes } from '../workspace/audience.js'
import { notesDirectory } from '../workspace/daily-notes.js'
import type { Run } from '../workspace/run.js'

/** The names of the notes, which no layer can change for the next. */
export function visibleNotes({ notes }: WorkspaceSnapshot, { audience }: Run): readonly string[] | undefined {
  if (notes === undefined || !mayShowNotes(audience)) return undefined
  return frozenList(notes)
}

/** What loading noticed, without what it noticed of files and injectors that this session may not see. */
export function visibleDiagnostics(snapshot: WorkspaceSnapshot, run: Run): readonly Diagnostic[] {
  if (snapshot.diagnostics.length === 0) return snapshot.diagnostics
  const isSame = isOfSameSession(snapshot, run)
  return snapshot.diagnostics.filter((diagnostic) => isVisible(diagnostic, isSame, run)).map(copyOf)
}

/**
 * What the layers loaded, if it was loaded for a session that sees the same. Data cannot be filtered, as only its layer
 * knows what it is made of.
 */
export function visibleData(snapshot: WorkspaceSnapshot, { turn }: Run): Readonly<Record<string, unknown>> {
  return isOfSameSession(snapshot, { turn }) ? snapshot.data : {}
}

function isOfSameSession({ session }: WorkspaceSnapshot, { turn }: Pick<Run, 'turn'>): boolean {
  return session === undefined || (session.kind === turn.session.kind && session.memory === turn.session.memory)
}

function isVisible({ code, path, section }: Diagnostic, isSame: boolean, { agent, turn, audience }: Run): boolean {
  if (path === notesDirectory) return mayShowNotes(audience)
  if (path !== undefined)
    return mayShow(audience, turn.session, agent.documents.find((spec) => spec.path === path) ?? { path })
  // What a store or a layer said when it failed may name anything.
  if (code !== 'injector-failed') return isSame
  const injector = agent.injectors.find(({ name }) => name === section)
  return mayInject(audience, injector?.private !== false)
}

/** Frozen with the result, which the host's own object must not be. */
function copyOf(diagnostic: Diagnostic): Diagnostic {
  const { code, severity, message, path, section, data } = diagnostic
  return {
    code,
    severity,
    message,
    ...(path !== undefined && { path }),
    ...(section !== undefined && { section }),
    ...(data !== undefined && { data: structuredClone(data) }),
  }
}
