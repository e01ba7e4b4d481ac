import { reasonOf } from '../diagnostics.js'
import type { FileReading, FileSnapshot, UnreadableFile } from '../ports/file-system.js'
import { describe } from '../validation.js'

export type SoundReading = FileSnapshot | UnreadableFile

/** What a store gave for a file that is there, as far as the port's contract holds; else the file is unreadable. */
export function soundReading(reading: FileReading): SoundReading {
  const unreadable = (detail: string): UnreadableFile => ({
    state: 'unreadable',
    path: pathOf(reading),
    reason: 'io',
    detail,
  })
  try {
    if (reading.state === 'unreadable') {
      const { path, reason, detail } = reading
      return { state: 'unreadable', path, reason, ...(typeof detail === 'string' && { detail }) }
    }
    if (reading.state !== 'present')
      return unreadable(`the store gave the state ${describe((reading as FileReading).state)}`)
    const { path, text, gap, length, version, id, approximate, lossy, stale, staleReason } = reading
    if (typeof text !== 'string') return unreadable(`the store gave ${describe(text)} for its text, expected a string`)
    if (typeof version !== 'string')
      return unreadable(`the store gave ${describe(version)} for its version, expected a string`)
    const at = gap?.at
    if (gap !== undefined && !(Number.isInteger(at) && (at as number) >= 0 && (at as number) <= text.length)) {
      return unreadable(`the store gave a gap at ${describe(at)} in a text of ${text.length}`)
    }
    return {
      state: 'present',
      path,
      text,
      length: Number.isSafeInteger(length) && length >= text.length ? length : text.length,
      version,
      ...(gap !== undefined && { gap: { at: at as number } }),
      ...(typeof id === 'string' && { id }),
      ...(approximate === true && { approximate }),
      ...(lossy === true && { lossy }),
      ...(stale === true && { stale, ...(typeof staleReason === 'string' && { staleReason }) }),
    }
  } catch (error) {
    return unreadable(`the store's answer could not be read: ${reasonOf(error)}`)
  }
}

function pathOf(reading: FileReading): string {
  try {
    return String(reading.path)
  } catch {
    return '?'
  }
}
