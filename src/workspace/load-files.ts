import { reasonOf, warning } from '../diagnostics.js'
import type { Document } from '../ports/document.js'
import type { FileReading, FileSystem } from '../ports/file-system.js'
import type { Diagnostic } from '../ports/prompt.js'
import { mayShow, mayShowNotes } from './audience.js'
import { notesDirectory } from './daily-notes.js'
import { type Outcome, withDeadline } from './deadline.js'
import { documentsOf } from './documents.js'
import { normalizePath } from './paths.js'
import type { Run } from './run.js'
import { specsOf } from './specs.js'

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
  let paths: readonly string[] = []

  const outcome = await withDeadline(
    async (options) => {
      notes = await listNotes(run, options, diagnostics)
      paths = specsOf(run, notes).paths
      return paths.length === 0 ? [] : files.read(paths, options)
    },
    deadlines.files,
    turn.signal,
  )
  if (paths.length === 0) paths = specsOf(run, notes).paths
  const readings = readingsOf(outcome, paths, run, diagnostics)
  return { documents: await documentsOf(readings), notes, diagnostics }
}

async function listNotes(
  run: Run,
  options: { readonly signal: AbortSignal },
  diagnostics: Diagnostic[],
): Promise<readonly string[] | undefined> {
  const { agent, turn, audience } = run
  if (agent.notes === false || turn.today === undefined || !mayShowNotes(audience)) return undefined
  if (agent.files.list === undefined || !agent.layers.some((layer) => layer.documents !== undefined)) return undefined
  try {
    const names: unknown = await agent.files.list(notesDirectory, options)
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) throw new TypeError('it gave no names')
    return names as readonly string[]
  } catch (error) {
    const message = `${agent.files.name} could not list ${notesDirectory}/, so only notes named by their date alone are looked for: ${reasonOf(error)}.`
    diagnostics.push(warning('list-failed', message, { path: notesDirectory }))
    return undefined
  }
}

/** One reading a path, whatever the store did. */
function readingsOf(
  outcome: Outcome<readonly FileReading[]>,
  paths: readonly string[],
  { agent }: Run,
  diagnostics: Diagnostic[],
): readonly FileReading[] {
  if (outcome.state === 'done' && Array.isArray(outcome.value)) {
    if (isAnswerTo(paths, outcome.value)) return outcome.value
    const byPath = new Map(outcome.value.map((reading: FileReading | undefined) => [reading?.path, reading]))
    return paths.map((path) => {
      const reading = byPath.get(path)
      return reading ?? { state: 'unreadable', path, reason: 'io', detail: `${agent.files.name} gave no answer for it` }
    })
  }
  const late = outcome.state === 'late'
  const what = late
    ? `took longer than ${agent.deadlines.files} ms`
    : `failed: ${outcome.state === 'failed' ? reasonOf(outcome.error) : 'it gave no list of readings'}`
  const message = `Reading the workspace from ${agent.files.name} ${what}. The prompt is built without its files.`
  diagnostics.push(warning('files-failed', message, { data: { paths } }))
  return paths.map((path) => ({ state: 'unreadable', path, reason: late ? 'too-slow' : 'io' }))
}

function isAnswerTo(paths: readonly string[], readings: readonly FileReading[]): boolean {
  return readings.length === paths.length && readings.every((reading, index) => reading?.path === paths[index])
}

/** The file system that layers load their own data from: it reads and lists, and hides what the session may not see. */
export function filesOfRun({ agent, turn, audience }: Run): FileSystem {
  const { files } = agent
  const hidden = (path: string) => isKnown(agent.documents, path) && !mayShow(audience, turn.session, specOf(path))
  const specOf = (path: string) => agent.documents.find((spec) => spec.path === path) ?? { path }
  const reader: FileSystem = {
    name: files.name,
    read: async (paths, options) => {
      const open = paths.filter((path) => !hidden(normalizePath(path)))
      const readings = open.length === 0 ? [] : await files.read(open, options)
      const byPath = new Map(open.map((path, index) => [path, readings[index]]))
      return paths.map((path) => byPath.get(path) ?? { state: 'missing', path })
    },
  }
  if (files.list === undefined) return reader
  const list = files.list.bind(files)
  return { ...reader, list: async (directory, options) => (hidden(`${directory}/`) ? [] : list(directory, options)) }
}

function isKnown(documents: Run['agent']['documents'], path: string): boolean {
  return path.startsWith(`${notesDirectory}/`) || documents.some((spec) => spec.path === path || spec.fallback === path)
}
