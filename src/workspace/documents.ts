import type { Document, DocumentNote } from '../ports/document.js'
import type { FileReading, FileSnapshot, UnreadableFile } from '../ports/file-system.js'
import { cleanText, type Removal } from './clean.js'
import { type FrontMatterParser, findFrontMatter, frontMatterParser } from './front-matter.js'
import { type SoundReading, soundReading } from './sound-reading.js'

interface Known {
  readonly text: string
  readonly version: string
  readonly document: Document
}

/**
 * A file system hands out the same snapshot object for as long as a file is unchanged, so a document is made once per
 * change. The cache holds nothing alive and cannot change a result: a document depends on its snapshot alone, and text
 * and version are looked at again in case that a store reuses its objects.
 */
const known = new WeakMap<FileReading, Known>()

/** Decoded files to documents: cleaned, front matter found and read. */
export async function documentsOf(readings: readonly FileReading[]): Promise<readonly Document[]> {
  const documents = readings.map(knownDocument)
  if (documents.every((document) => document !== undefined)) return documents
  const sound = readings.map((reading, index) => (documents[index] === undefined ? soundReading(reading) : undefined))
  const parse = sound.some((reading) => reading?.state === 'present' && mayHaveFrontMatter(reading))
    ? await frontMatterParser()
    : undefined
  return readings.map(
    (reading, index) => documents[index] ?? freshDocument(reading, sound[index] as SoundReading, parse),
  )
}

function knownDocument(reading: FileReading): Document | undefined {
  try {
    if (reading.state === 'missing') return missingDocument(reading.path)
    if (reading.state !== 'present') return undefined
    const last = known.get(reading)
    return last !== undefined && last.text === reading.text && last.version === reading.version
      ? last.document
      : undefined
  } catch {
    return undefined
  }
}

function freshDocument(reading: FileReading, sound: SoundReading, parse: FrontMatterParser | undefined): Document {
  if (sound.state === 'unreadable') return unreadableDocument(sound)
  const document = presentDocument(sound, parse)
  known.set(reading, { text: sound.text, version: sound.version, document })
  return document
}

/**
 * A document from a text in hand, without a file system. Its front matter, if it opens with what looks like some, is
 * shown: reading YAML means loading a parser, which a synchronous function cannot.
 */
export function documentFromText(path: string, text: string): Document {
  return presentDocument({ state: 'present', path, text, length: text.length, version: '' }, undefined)
}

const missing = new Map<string, Document>()
const maxMissing = 1_024

/** The same object each time: what is derived from a turn's documents is kept while they are the same. */
export function missingDocument(path: string): Document {
  const known = missing.get(path)
  if (known !== undefined) return known
  const document: Document = Object.freeze({ path, state: 'missing', text: '', body: 0, length: 0, notes: [] })
  if (missing.size >= maxMissing) missing.clear()
  missing.set(path, document)
  return document
}

function unreadableDocument({ path, reason, detail }: Omit<UnreadableFile, 'state'>): Document {
  const message = `${path} could not be read: ${detail ?? reasons[reason] ?? reasons.io}.`
  const notes: DocumentNote[] = [{ code: 'unreadable', message, data: { reason } }]
  return Object.freeze({ path, state: 'unreadable', text: '', body: 0, length: 0, reason, notes })
}

const reasons = {
  'not-a-file': 'it is no regular file',
  'outside-root': 'it leads out of the workspace',
  permission: 'permission was denied',
  binary: 'it holds NUL characters, so it is no text',
  'too-slow': 'it took longer than the deadline',
  io: 'the store failed',
} as const

function mayHaveFrontMatter({ text }: FileSnapshot): boolean {
  return /^\uFEFF?---[ \t]*[\r\n\u0085\u2028\u2029]/.test(text)
}

function presentDocument(snapshot: FileSnapshot, parse: FrontMatterParser | undefined): Document {
  const { path, gap, length, approximate, version, id, stale, lossy } = snapshot
  if (snapshot.text.includes('\0')) return unreadableDocument({ path, reason: 'binary' })
  const notes: DocumentNote[] = []
  if (lossy) notes.push({ code: 'lossy', message: `${path} is not valid UTF-8: bad bytes are shown as \uFFFD.` })
  if (stale) notes.push(staleNote(snapshot))

  // The ends of a large file are cleaned apart: what stands on one side of the gap says nothing about the other.
  const start = gap === undefined ? snapshot.text : snapshot.text.slice(0, gap.at)
  const end = snapshot.text.slice(start.length)
  const head = cleanText(start)
  const tail = gap === undefined ? undefined : cleanText(end)
  const removed = [...head.removed, ...(tail?.removed ?? [])]
  if (removed.length > 0) notes.push(sanitizedNote(path, removed))
  // Both in one piece already, unless cleaning changed them: a copy of a large file is worth saving.
  const isClean = head.text === start && (tail === undefined || tail.text === end)
  const text = isClean ? snapshot.text : head.text + (tail?.text ?? '')

  const front = readFrontMatter(path, head.text, parse, notes)
  const body = front?.end ?? 0
  return Object.freeze({
    path,
    state: /\S/.test(body === 0 ? text : text.slice(body)) ? 'present' : 'empty',
    text,
    body,
    ...(gap !== undefined && { gap: head.text.length }),
    length: gap === undefined ? text.length : length,
    ...(approximate && { approximate }),
    ...(front !== undefined && { metadata: front.metadata }),
    ...(version !== '' && { version }),
    ...(id !== undefined && { id }),
    ...(stale && { stale }),
    notes: Object.freeze(notes),
  })
}

function readFrontMatter(
  path: string,
  text: string,
  parse: FrontMatterParser | undefined,
  notes: DocumentNote[],
): { readonly end: number; readonly metadata: Readonly<Record<string, unknown>> } | undefined {
  const found = findFrontMatter(text)
  if (found === undefined) return undefined
  if (parse === undefined) {
    const message = `${path} opens with a front matter block, which is shown: load it through a file system to have it read and taken off.`
    notes.push({ code: 'front-matter-kept', message })
    return undefined
  }
  const result = parse(found.block)
  if (result === 'not-front-matter') return undefined
  if ('metadata' in result) return { end: found.end, metadata: result.metadata }
  const message = `The front matter of ${path} is no YAML mapping, so it is shown as text: ${result.invalid}.`
  notes.push({ code: 'front-matter-invalid', message, data: { reason: result.invalid } })
  return undefined
}

function staleNote({ path, version, staleReason }: FileSnapshot): DocumentNote {
  const reason = staleReason ?? 'the store failed this time'
  return {
    code: 'stale',
    message: `${path} is an older text, of version ${version}: ${reason}.`,
    data: { version, reason },
  }
}

function sanitizedNote(path: string, removed: readonly Removal[]): DocumentNote {
  const count = removed.reduce((sum, removal) => sum + removal.count, 0)
  const kinds = [...new Set(removed.map((removal) => removal.kind))].join(', ')
  const codePoints = [...new Set(removed.flatMap((removal) => removal.codePoints))].slice(0, 8).join(' ')
  return {
    code: 'sanitized',
    message: `${count} invisible or control characters of ${path} are not shown (${kinds}: ${codePoints}).`,
    data: { count, removed },
  }
}
