import { reasonOf } from '../diagnostics.js'
import { UsageError } from './usage-error.js'

/** Where a command speaks, and how it learns that it is to end. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Aborts when the person ends the command. Asking for it keeps SIGINT and SIGTERM from ending the process at once. */
  interrupted(): AbortSignal
}

/** One command, with options of its own: those of another one are refused. */
export interface Command {
  /** For the list of commands, in one line. */
  readonly summary: string
  readonly help: string
  /** @throws UsageError where it was called wrongly, anything else where it failed */
  run(args: readonly string[], terminal: Terminal): Promise<void>
}

/** A flag, what it means, and what counts without it. */
export type FlagLine = readonly [flag: string, meaning: string, standard?: string]

/** The flags of a command for its help, in columns. */
export function flagLines(flags: readonly FlagLine[]): string {
  const all: readonly FlagLine[] = [...flags, ['-h, --help', 'this text']]
  const width = Math.max(...all.map(([, meaning, standard]) => (standard === undefined ? 0 : meaning.length)))
  return all
    .map(([flag, meaning, standard]) => {
      const end = standard === undefined ? meaning : `${meaning.padEnd(width)}  (${standard})`
      return `  ${flag.padEnd(20)}  ${end}`
    })
    .join('\n')
}

/** Gives what `parseArgs` gives; its refusals become errors of usage. */
export function parsed<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    // Node goes on to explain a way of passing such words as an argument, which none of ours can be.
    throw new UsageError(
      reasonOf(error)
        .replace(/\. To specify a positional.*$/s, '')
        .replaceAll('\n', ' '),
    )
  }
}

/** The one folder that a command takes. Default: the current one. */
export function folderIn(positionals: readonly string[]): string {
  if (positionals.length > 1) {
    throw new UsageError(`expected one folder, got ${positionals.length}: ${positionals.join(' ')}`)
  }
  return positionals[0] ?? '.'
}

/** @throws UsageError that names the flag, what was expected and what came */
export function oneOf<Value extends string>(flag: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) throw new UsageError(`${flag}: expected ${allowed.join(', ')}, got ${JSON.stringify(value)}`)
  return found
}
