import { PromptError } from '../errors.js'
import type { FileReading, FileSnapshot, FileSystem } from '../ports/file-system.js'
import { conflict } from './conflict.js'
import { endsOf, WHOLE_UNITS } from './decode.js'
import { checkPath, normalizePath } from './paths.js'
import { isRecords } from './records.js'

export type MemoryFileSystem = FileSystem &
  Required<Pick<FileSystem, 'list' | 'write' | 'append' | 'remove' | 'watch' | 'close'>>

interface Entry {
  readonly text: string
  /** Made on the first read, once for each text. */
  snapshot?: FileSnapshot
  pending?: Promise<FileSnapshot>
}

/**
 * A workspace that lives in memory, for tests and for hosts that keep their texts elsewhere.
 *
 * An unchanged file gives the very same snapshot on every read. Versions are SHA-256 of the UTF-16 units. Nothing is
 * copied to disk; `close` stops every watch and does no more: reading, writing and watching go on afterwards.
 *
 * `watch` tells of what `write`, `append` and `remove` changed: every listener by itself, in a microtask, of all that
 * changed before it. What a listener throws breaks no write and no other listener: it is a rejection that nobody
 * handles, which the host's runtime reports.
 *
 * @param files Texts by path. Default: none. The object is read once and not kept.
 * @param options `name`: for messages. Default `memory`.
 * @throws PromptError `outside-root` for a path that is absolute, has a part that is empty, `.` or `..`, or holds a
 * backslash or a control character, and for the like that no workspace takes; `invalid-options` for a text that is no
 * string. The writing methods throw the former as well, and `conflict` with `data: { path, expected, current }`.
 * @example
 * const files = memoryFileSystem({ 'SOUL.md': 'You are calm.' })
 * await files.write('USER.md', '- Name: Ann', { ifVersion: null })
 */
export function memoryFileSystem(
  files: Readonly<Record<string, string>> = {},
  options: { readonly name?: string } = {},
): MemoryFileSystem {
  const entries = new Map<string, Entry>()
  for (const [path, text] of Object.entries(files)) entries.set(accepted(path), { text: textFor(path, text) })

  const changes = changesOf()

  /** Between the comparison and the change nothing is awaited, so no other write can come between them. */
  async function compareAndSet(path: string, expected: string | null | undefined, next: Entry | undefined) {
    let before = entries.get(path)
    while (expected !== undefined && before !== undefined && before.snapshot === undefined) {
      await snapshotOf(path, before)
      before = entries.get(path)
    }
    const current = before?.snapshot?.version ?? null
    if (expected !== undefined && expected !== current) throw conflict(path, expected, current)
    if (before?.text !== next?.text) changes.tell(path)
    if (next === undefined) entries.delete(path)
    else if (before?.snapshot === undefined || before.text !== next.text) entries.set(path, next)
    else return before.snapshot
    return next?.snapshot
  }

  return {
    name: options.name ?? 'memory',

    async read(paths, { signal } = {}) {
      signal?.throwIfAborted()
      const readings = paths.map((path) => readingOf(entries, path))
      return readings.every(isReading) ? readings : Promise.all(readings)
    },

    async list(directory, { signal } = {}) {
      signal?.throwIfAborted()
      const prefix = directory === '' || directory === '.' ? '' : `${accepted(directory)}/`
      const names = new Set<string>()
      for (const path of entries.keys()) {
        if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split('/', 1)[0] as string)
      }
      return [...names]
    },

    async write(path, text, { ifVersion } = {}) {
      const key = accepted(path)
      const entry: Entry = { text: textFor(path, text) }
      const snapshot = await snapshotOf(key, entry)
      return (await compareAndSet(key, ifVersion, entry)) ?? snapshot
    },

    async append(path, text) {
      const key = accepted(path)
      const before = entries.get(key)?.text
      const opensLine = isRecords(key) && before !== undefined && before !== '' && !before.endsWith('\n')
      const after = `${before ?? ''}${opensLine ? '\n' : ''}${textFor(path, text)}`
      if (after !== before) changes.tell(key)
      entries.set(key, { text: after })
    },

    async remove(path, { ifVersion } = {}) {
      await compareAndSet(accepted(path), ifVersion, undefined)
    },

    watch: changes.watch,

    async close() {
      changes.stopAll()
    },
  }
}

/** Listeners, and what each of them is still to be told. */
function changesOf() {
  const listeners = new Set<{ tell(path: string): void }>()
  return {
    watch(listener: (paths: readonly string[]) => void): () => void {
      const waiting = new Set<string>()
      const send = () => {
        const paths = Object.freeze([...waiting].sort())
        waiting.clear()
        if (listeners.has(entry)) listener(paths)
      }
      const entry = {
        tell(path: string) {
          waiting.add(path)
          if (waiting.size === 1) void Promise.resolve().then(send)
        },
      }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    tell(path: string) {
      for (const listener of listeners) listener.tell(path)
    },
    stopAll: () => listeners.clear(),
  }
}

function readingOf(entries: ReadonlyMap<string, Entry>, asked: string): FileReading | Promise<FileReading> {
  const path = normalizePath(asked)
  const entry = entries.get(path)
  if (entry === undefined) {
    const refused = checkPath(path)
    if (refused === undefined) return { state: 'missing', path: asked }
    return { state: 'unreadable', path: asked, reason: 'outside-root', detail: `its name ${refused}` }
  }
  if (path === asked) return entry.snapshot ?? snapshotOf(path, entry)
  // An answer bears the name that was asked for.
  return Promise.resolve(entry.snapshot ?? snapshotOf(path, entry)).then((snapshot) => ({ ...snapshot, path: asked }))
}

function isReading(reading: FileReading | Promise<FileReading>): reading is FileReading {
  return !(reading instanceof Promise)
}

function snapshotOf(path: string, entry: Entry): Promise<FileSnapshot> {
  entry.pending ??= versionOf(entry.text).then((version) => {
    const { length } = entry.text
    const ends = length > WHOLE_UNITS ? endsOf(entry.text) : undefined
    const text = ends?.text ?? entry.text
    const gap = ends && { gap: Object.freeze({ at: ends.at }) }
    entry.snapshot = Object.freeze({ state: 'present', path, text, ...gap, length, version })
    return entry.snapshot
  })
  return entry.pending
}

/** Over the units and not over UTF-8, in which every lone surrogate is the same U+FFFD. */
async function versionOf(text: string): Promise<string> {
  const bytes = new Uint8Array(text.length * 2)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    bytes[2 * at] = unit & 0xff
    bytes[2 * at + 1] = unit >>> 8
  }
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function accepted(asked: string): string {
  const path = normalizePath(asked)
  const refused = checkPath(path)
  if (refused === undefined) return path
  throw new PromptError('outside-root', `The path ${JSON.stringify(asked)} ${refused}.`, { data: { path: asked } })
}

function textFor(path: string, text: string): string {
  if (typeof text === 'string') return text
  throw new PromptError('invalid-options', `The text of ${path} must be a string, not ${typeof text}.`)
}
