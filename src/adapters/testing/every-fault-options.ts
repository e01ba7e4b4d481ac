import type { FileSystem } from '../../ports/file-system.js'
import { describe, type Problem } from '../../validation.js'
import { type Fault, faultProblems } from './faults.js'

export interface EveryFaultOptions<Files extends FileSystem = FileSystem> {
  /**
   * What must hold of the store afterwards, which no longer fails: rejects or throws where it does not. With it, `run`
   * may reject, and is given up as soon as the store crashes, like a process that was killed.
   */
  readonly check?: (store: Files) => unknown
  /**
   * The kinds of fault. Default: `fail` and `crash`, of a change before and after it is made, `short`, `tear`, and where
   * there is no `check` a call that never settles. A store that replaces files in one step never cuts a `write`: an app
   * that relies on it names the others.
   */
  readonly faults?: readonly Fault[]
  /** ms for each `run`; one that takes longer fails its case. Default 5,000. */
  readonly within?: number
}

/** What keeps these from being what `everyFault` takes. */
export function everyFaultProblems(create: unknown, run: unknown, options: unknown): readonly Problem[] {
  if (typeof options !== 'object' || options === null) {
    return [{ path: 'options', message: `expected an object, got ${describe(options)}` }]
  }
  const { check, faults, within, ...others } = options as { readonly [key: string]: unknown }
  const functions = Object.entries({ create, run, ...(check !== undefined && { check }) })
  const isTime = within === undefined || (typeof within === 'number' && within >= 0 && within < 2 ** 31)
  return [
    ...functions.flatMap(([path, value]) =>
      typeof value === 'function' ? [] : [{ path, message: `expected a function, got ${describe(value)}` }],
    ),
    ...Object.keys(others).map((path) => ({ path, message: 'is no option' })),
    ...(isTime ? [] : [{ path: 'within', message: `expected ms, got ${describe(within)}` }]),
    ...(faults === undefined ? [] : listProblems(faults)),
  ]
}

function listProblems(faults: unknown): readonly Problem[] {
  if (!Array.isArray(faults) || faults.length === 0) {
    return [{ path: 'faults', message: `expected at least one fault, got ${describe(faults)}` }]
  }
  return faults.flatMap((fault: unknown, index) => faultProblems(`faults[${index}]`, fault))
}
