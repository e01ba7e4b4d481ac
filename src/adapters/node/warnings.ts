/** Has the process say what nobody is there to be thrown at. */
export function emitWarning(message: string, cause: unknown): void {
  const detail = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  process.emitWarning(message, { type: 'SoulpromptWarning', detail })
}
