import type { FileReading, FileSystem, UnreadableFile } from '../../ports/file-system.js'
import { normalizePath } from '../../workspace/paths.js'
import { cutReading, firstNames, firstPart, pretended } from './cut-calls.js'
import { type CutCall, type FailingCall, type FileOperation, inputOutputError } from './faults.js'

/** A call as it was made, and what a fault may leave of it. */
export interface FaultyCall<T> {
  readonly operation: FileOperation
  readonly signal?: AbortSignal | undefined
  whole(): Promise<T>
  cut(fault: CutCall): Promise<T>
  /** Where a part of what was asked for can fail. */
  without?(paths: readonly string[], fault: FailingCall): Promise<T>
}

type Method<Name extends 'read' | 'list' | 'write' | 'append' | 'remove'> = NonNullable<FileSystem[Name]>

export function readCall(
  files: FileSystem,
  operation: FileOperation,
  ...[asked, options]: Parameters<Method<'read'>>
): FaultyCall<readonly FileReading[]> {
  const whole = () => files.read(asked, options)
  return {
    operation,
    signal: options?.signal,
    whole,
    cut: async (fault) => (await whole()).map((reading) => cutReading(reading, fault)),
    async without(paths, fault) {
      const names = new Set(paths.map(normalizePath))
      const readings = await whole()
      return readings.map((reading) => (names.has(normalizePath(reading.path)) ? unreadable(reading, fault) : reading))
    },
  }
}

function unreadable({ path }: FileReading, { reason = 'io', error }: FailingCall): UnreadableFile {
  return Object.freeze({ state: 'unreadable', path, reason, ...(error !== undefined && { cause: error }) })
}

export function listCall(
  list: Method<'list'>,
  operation: FileOperation,
  ...[directory, options]: Parameters<Method<'list'>>
): FaultyCall<readonly string[]> {
  const whole = () => list(directory, options)
  return {
    operation,
    signal: options?.signal,
    whole,
    cut: async (fault) => firstNames(await whole(), fault),
  }
}

export function writeCall(
  write: Method<'write'>,
  operation: FileOperation,
  ...[path, text, options]: Parameters<Method<'write'>>
): FaultyCall<Awaited<ReturnType<Method<'write'>>>> {
  return {
    operation,
    whole: () => write(path, text, options),
    async cut(fault) {
      const part = firstPart(text, fault)
      const stored = await write(path, part, options)
      if (fault.kind === 'short') throw inputOutputError(operation)
      return part === text ? stored : pretended(stored, text)
    },
  }
}

export function appendCall(
  append: Method<'append'>,
  operation: FileOperation,
  ...[path, text]: Parameters<Method<'append'>>
): FaultyCall<void> {
  return {
    operation,
    whole: () => append(path, text),
    async cut(fault) {
      await append(path, firstPart(text, fault))
      if (fault.kind === 'short') throw inputOutputError(operation)
    },
  }
}

export function removeCall(
  remove: Method<'remove'>,
  operation: FileOperation,
  ...[path, options]: Parameters<Method<'remove'>>
): FaultyCall<void> {
  return {
    operation,
    whole: () => remove(path, options),
    async cut(fault) {
      if (fault.kind === 'short') throw inputOutputError(operation)
    },
  }
}
