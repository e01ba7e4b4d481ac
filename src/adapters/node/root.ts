import { sep } from 'node:path'
import { realpath, stat, type Work } from './operations.js'
import { type StatKey, sameFile } from './stat-key.js'

export interface Root {
  /** Absolute, links and all. */
  readonly given: string
  /** Without links; `undefined` while there is nothing at `given`. Resolved again when another folder stands there. */
  resolve(): Work<string | undefined>
  /** Has the next `resolve` look again. Returns whether there was something to forget. */
  forget(): boolean
}

export function rootAt(given: string): Root {
  let known: (StatKey & { readonly real: string }) | undefined
  return {
    given,
    *resolve() {
      const found = yield* stat(given)
      if (found === undefined) return undefined
      if (known !== undefined && sameFile(known, found)) return known.real
      const real = yield* realpath(given)
      known = { ...found, real }
      return real
    },
    forget() {
      const had = known !== undefined
      known = undefined
      return had
    },
  }
}

/** Decided by whole parts of the paths: `/home/a-b` is not inside `/home/a`. Both must be free of links and dots. */
export function isInside(root: string, path: string): boolean {
  const outer = root.split(sep).filter(Boolean)
  const inner = path.split(sep).filter(Boolean)
  return path.startsWith(sep) === root.startsWith(sep) && outer.every((part, index) => inner[index] === part)
}
