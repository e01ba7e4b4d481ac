/**
 * - `invalid-options`: `defineAgent` or a turn was given something it cannot take; the message names every fault
 * - `budget-too-small`: what must never be cut does not fit
 * - `layer-failed`: a layer threw and `onLayerError` is `throw`, or the base file is not there
 * - `conflict`: a compare-and-set write met another version
 * - `capability-missing`: the file system cannot do what was asked
 * - `outside-root`: a path leads out of the workspace
 * - `locked`: a lock could not be had in time
 * - `io`: the store failed
 *
 * A build throws only the first three.
 */
export type PromptErrorCode =
  | 'invalid-options'
  | 'budget-too-small'
  | 'layer-failed'
  | 'conflict'
  | 'capability-missing'
  | 'outside-root'
  | 'locked'
  | 'io'

/** The one error class of the library. `code` says what to do about it; `message` names the thing, what was expected, what came. */
export class PromptError extends Error {
  override readonly name = 'PromptError'
  readonly code: PromptErrorCode
  /** Details for a program, by code. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    code: PromptErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly data?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.data = options.data ?? {}
  }
}
