import type { FileSystem } from '../../ports/file-system.js'
import { describe, type Problem, refuse } from '../../validation.js'
import { fileSystemProblems } from '../../workspace/store-answers.js'
import { type Fault, type FileOperation, faultProblems, isCount } from './faults.js'
import { type FaultyFileSystem, wrapFileSystem } from './wrap-file-system.js'

export interface FaultyOptions {
  /**
   * What fails: faults with the index of the operation that each befalls, or a function that is asked at every call.
   * Default: nothing.
   */
  readonly faults?: readonly (Fault & { readonly at: number })[] | ((operation: FileOperation) => Fault | undefined)
}

const where = 'faultyFileSystem'

/**
 * A file system that fails on purpose, for tests of what an app does when its store does. It offers exactly what the
 * given one offers. Calls of `read`, `list`, `write`, `append` and `remove` are counted together, from 0; a call
 * without a fault is the store's own, its answer the very same. `watch` and `close` never fail.
 *
 * For every operation and every kind of fault in turn see {@link everyFault}.
 *
 * @param files Is called through the methods that it has now.
 * @throws PromptError `invalid-options` for something that is no file system, and for a fault that is none; where a
 * function gives that, the call rejects with it, as it does with what the function throws.
 * @example
 * const files = faultyFileSystem(memoryFileSystem(texts), { faults: [{ at: 1, kind: 'fail' }] })
 * const tornNotes = faultyFileSystem(memoryFileSystem(), {
 *   faults: ({ method, paths }) => (method === 'append' && paths[0] === 'MEMORY.md' ? { kind: 'tear' } : undefined),
 * })
 */
export function faultyFileSystem<Files extends FileSystem>(
  files: Files,
  options: FaultyOptions = {},
): FaultyFileSystem<Files> {
  refuse(where, fileSystemProblems('', files))
  refuse(where, optionsProblems(options))
  const { faults = [] } = options
  if (typeof faults === 'function') {
    return wrapFileSystem(files, (operation) => {
      const fault = faults(operation)
      if (fault !== undefined) refuse(where, faultProblems(`faults(${operation.method} ${operation.index})`, fault))
      return fault
    })
  }
  const byIndex = new Map(faults.map(({ at, ...fault }) => [at, fault]))
  return wrapFileSystem(files, ({ index }) => byIndex.get(index))
}

function optionsProblems(options: unknown): readonly Problem[] {
  if (typeof options !== 'object' || options === null) {
    return [{ path: 'options', message: `expected an object, got ${describe(options)}` }]
  }
  const unknown = Object.keys(options).filter((key) => key !== 'faults')
  const { faults } = options as { readonly faults?: unknown }
  return [
    ...unknown.map((key) => ({ path: key, message: 'is no option' })),
    ...(faults === undefined || typeof faults === 'function' ? [] : listProblems(faults)),
  ]
}

function listProblems(faults: unknown): readonly Problem[] {
  if (!Array.isArray(faults)) {
    return [{ path: 'faults', message: `expected a list of faults or a function, got ${describe(faults)}` }]
  }
  const seen = new Set<unknown>()
  return faults.flatMap((fault: unknown, index) => {
    const path = `faults[${index}]`
    const problems = faultProblems(path, fault, ['at'])
    const at: unknown = typeof fault === 'object' && fault !== null ? Reflect.get(fault, 'at') : 0
    if (!isCount(at)) {
      return [...problems, { path: `${path}.at`, message: `expected the index of an operation, got ${describe(at)}` }]
    }
    const twice = seen.has(at) ? [{ path: `${path}.at`, message: `operation ${at} has a fault already` }] : []
    seen.add(at)
    return [...problems, ...twice]
  })
}
