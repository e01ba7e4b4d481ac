import type { Diagnostic, DiagnosticCode } from './ports/prompt.js'

type Details = Pick<Diagnostic, 'path' | 'section' | 'data'>

export function warning(code: DiagnosticCode, message: string, details: Details = {}): Diagnostic {
  return Object.freeze({ code, severity: 'warning', message, ...details })
}

export function info(code: DiagnosticCode, message: string, details: Details = {}): Diagnostic {
  return Object.freeze({ code, severity: 'info', message, ...details })
}

/** What somebody else's code threw, in words. Anything can be thrown, an object without a prototype included. */
export function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'an unprintable value was thrown'
  }
}
