import { reasonOf, warning } from '../diagnostics.js'
import { frozenList } from '../plain-data.js'
import type { Document } from '../ports/document.js'
import type { FileReading, FileSystem } from '../ports/file-system.js'
import type { Diagnostic } from '../ports/prompt.js'
import { mayShow, mayShowNotes } from './audience.js'
import { notesDirectory } from './daily-notes.js'
import { type Outcome, withDeadline } from './deadline.js'
import { documentsOf } from './documents.js'
import { reportLayerFailure } from './layer-failure.js'
import { manifest } from './manifest.js'
import { normalizePath } from './paths.js'
import type { Run } from './run.js'
import { specsOf, type TurnSpecs } from './specs.js'
import { answersByPath } from './store-answers.js'

export interface LoadedFiles {
  readonly documents: readonly Document[]
  readonly notes: readonly string[] | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** At most one `list` and one `read` of the port, both within the files' deadline. */
export async function loadFiles(run: Run): Promise<LoadedFiles> {
  const { agent, turn } = run
  const { files, deadlines } = agent
  const diagnostics: Diagnostic[] = []
  let notes: readonly string[] | undefined
  let specs: TurnSpecs | undefined

  const outcome = await withDeadline(
    async (options) => {
      notes = await listNotes(run, diagnostics)
      specs = specsOf(run, notes)
      if (specs.paths.length === 0 || turn.signal?.aborted) return []
      return files.read([...specs.paths], options)
    },
    deadlines.files,
    turn.signal,
  )
  const { paths, failed } = specs ?? specsOf(run, notes)
  for (const { layer, error } of failed) reportLayerFailure(layer, error, run, diagnostics)
  const readings = readingsOf(outcome, paths, run, diagnostics)
  return { documents: await documentsOf(readings), notes, diagnostics }
}

/** Within half of the deadline, so that a listing that stalls leaves time to read the files. */
async function listNotes(run: Run, diagnostics: Diagnostic[]): Promise<readonly string[] | undefined> {
  const { agent, turn } = run
  const { files, deadlines } = agent
  const { list } = files
  if (list === undefined || !needsNotes(run)) return undefined
  const outcome = await withDeadline(
    (options) => list.call(files, notesDirectory, options),
    deadlines.files / 2,
    turn.signal,
  )
  // Layers are given the names too; none of them may change what the next one sees.
  if (outcome.state === 'done' && isListOfNames(outcome.value)) return frozenList(outcome.value)
  const why =
    outcome.state === 'failed'
      ? reasonOf(outcome.error)
      : outcome.state === 'late'
        ? 'it took too long'
        : 'it gave no names'
  const message = `${files.name} could not list ${notesDirectory}/, so only notes named by their date alone are looked for: ${why}.`
  diagnostics.push(warning('list-failed', message, { path: notesDirectory }))
  return undefined
}

/** For the notes of these days, or to see whether there are any: a workspace with notes is not new. */
function needsNotes({ agent, turn, audience }: Run): boolean {
  const showsNotes = agent.notes !== false && turn.today !== undefined
  const looksForAny = agent.documents.some(
    (spec) => spec.path === 'BOOTSTRAP.md' && mayShow(audience, turn.session, spec),
  )
  return mayShowNotes(audience) && (showsNotes || looksForAny)
}

function isListOfNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.every((name) => typeof name === 'string')
}

/** One reading a path, whatever the store did. */
function readingsOf(
  outcome: Outcome<readonly FileReading[]>,
  paths: readonly string[],
  { agent }: Run,
  diagnostics: Diagnostic[],
): readonly FileReading[] {
  if (outcome.state === 'done' && Array.isArray(outcome.value)) {
    if (isInOrder(paths, outcome.value)) return outcome.value
    const byPath = answersByPath(agent.files, paths, outcome.value)
    return paths.flatMap((path) => byPath.get(path) ?? [])
  }
  const late = outcome.state === 'late'
  const what = late
    ? `took longer than ${agent.deadlines.files} ms`
    : `failed: ${outcome.state === 'failed' ? reasonOf(outcome.error) : 'it gave no list of readings'}`
  const message = `Reading the workspace from ${agent.files.name} ${what}. The prompt is built without its files.`
  diagnostics.push(warning('files-failed', message, { data: { paths } }))
  return paths.map((path) => ({ state: 'unreadable', path, reason: late ? 'too-slow' : 'io' }))
}

function isInOrder(paths: readonly string[], readings: readonly unknown[]): boolean {
  try {
    const same = (path: string, index: number) => (readings[index] as FileReading | undefined)?.path === path
    return readings.length === paths.length && paths.every(same)
  } catch {
    return false
  }
}

/** The file system that layers load their own data from: it reads and lists, and hides what the session may not see. */
export function filesOfRun({ agent, turn, audience }: Run): FileSystem {
  const { files } = agent
  const specs = [...agent.documents, ...manifest]
  const hidden = (asked: string) => {
    const path = normalizePath(asked)
    const spec = specs.find((one) => one.path === path || one.fallback === path)
    const isNote = `${path}/`.startsWith(`${notesDirectory}/`)
    return (
      (spec !== undefined || isNote) && !mayShow(audience, turn.session, spec ?? { path: isNote ? `${path}/` : path })
    )
  }
  const reader: FileSystem = {
    name: files.name,
    read: async (paths, options) => {
      const open = paths.filter((path) => !hidden(path))
      const readings = open.length === 0 ? [] : await files.read(open, options)
      const byPath = new Map(open.map((path, index) => [path, readings[index]]))
      return paths.map((path) => byPath.get(path) ?? { state: 'missing', path })
    },
  }
  if (files.list === undefined) return reader
  const list = files.list.bind(files)
  return { ...reader, list: async (directory, options) => (hidden(directory) ? [] : list(directory, options)) }
}
