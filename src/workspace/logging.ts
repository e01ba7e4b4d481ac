import type { Logger } from '../ports/agent.js'
import type { Diagnostic } from '../ports/prompt.js'

/** Tells the host's logger each diagnostic. A logger that throws is the host's trouble, not the turn's. */
export function tell(logger: Logger | undefined, diagnostics: readonly Diagnostic[]): void {
  if (logger === undefined) return
  for (const diagnostic of diagnostics) {
    try {
      if (diagnostic.severity === 'warning') logger.warn(diagnostic.message, diagnostic)
      else logger.info(diagnostic.message, diagnostic)
    } catch {
      return
    }
  }
}
