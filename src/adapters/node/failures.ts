import type { FileReading, UnreadableReason } from '../../ports/file-system.js'

export interface Refusal {
  readonly state: 'refused'
  readonly reason: UnreadableReason
  /** The rest of a sentence that begins with the file. */
  readonly detail: string
  readonly cause?: unknown
}

export function refusal(reason: UnreadableReason, detail: string, cause?: unknown): Refusal {
  return { state: 'refused', reason, detail, ...(cause !== undefined && { cause }) }
}

/** What an error of the system says of a file. */
export function outcomeOf(error: unknown): Refusal | { readonly state: 'missing' } {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'missing' }
  if (code === 'EACCES' || code === 'EPERM') return refusal('permission', `the system refused it with ${code}`, error)
  if (code === 'ELOOP') return refusal('io', 'its links lead in a circle', error)
  if (code === 'ENAMETOOLONG') return refusal('io', 'its name is too long for the file system', error)
  return refusal('io', code === undefined ? 'reading failed' : `the system reported ${code}`, error)
}

/** Errors that say that what was looked at a moment ago is no longer there, or is something else. */
export function isReplaced(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'].includes(codeOf(error) ?? '')
}

export function readingOf(path: string, outcome: Refusal | { readonly state: 'missing' }): FileReading {
  if (outcome.state === 'missing') return { state: 'missing', path }
  const { reason, detail, cause } = outcome
  return { state: 'unreadable', path, reason, detail, ...(cause !== undefined && { cause }) }
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
