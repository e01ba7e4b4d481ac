import { PromptError } from '../../errors.js'
import { codeOf, isReplaced, type Refusal, refusal } from './failures.js'

export type Verb = 'write' | 'append' | 'remove'

const done: Readonly<Record<Verb, string>> = { write: 'written', append: 'appended to', remove: 'removed' }

const details: Readonly<Record<string, string>> = {
  EACCES: 'the system refused it',
  EPERM: 'the system refused it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'no more may be stored for this user',
  EFBIG: 'it would be too large for the file system',
  ENAMETOOLONG: 'its name is too long for the file system',
}

/** Ends one attempt at a change. Never leaves this folder: {@link outcomeOfChange} says what becomes of it. */
export class Interruption extends Error {
  readonly outcome: Refusal | { readonly state: 'replaced' }

  constructor(outcome: Refusal | { readonly state: 'replaced' }) {
    super(outcome.state === 'refused' ? outcome.detail : 'it was replaced meanwhile')
    this.outcome = outcome
  }
}

/** What was looked at a moment ago is something else by now: worth another attempt. */
export function replaced(): Interruption {
  return new Interruption({ state: 'replaced' })
}

export function refused(reason: Refusal['reason'], detail: string, cause?: unknown): Interruption {
  return new Interruption(refusal(reason, detail, cause))
}

/** What an error says of an attempt. */
export function outcomeOfChange(error: unknown): Interruption['outcome'] {
  if (error instanceof Interruption) return error.outcome
  // A change looks before it acts, so these mean that something else came to stand there.
  if (isReplaced(error)) return { state: 'replaced' }
  const code = codeOf(error)
  const detail = details[code ?? '']
  if (code === undefined) return refusal('io', error instanceof Error ? error.message : String(error), error)
  return refusal('io', detail === undefined ? `the system reported ${code}` : `${detail} (${code})`, error)
}

/** @param more Further details for a program. */
export function changeError(
  path: string,
  verb: Verb,
  { reason, detail, cause }: Omit<Refusal, 'state'>,
  more: Readonly<Record<string, unknown>> = {},
): PromptError {
  const message = `${JSON.stringify(path)} could not be ${done[verb]}: ${detail}.`
  const code = codeOf(cause)
  const data = { path, operation: verb, ...(code !== undefined && { code }), ...more }
  return new PromptError(reason === 'outside-root' ? 'outside-root' : 'io', message, {
    data,
    ...(cause !== undefined && { cause }),
  })
}
