import { sep } from 'node:path'
import { realpath, stat, type Work } from './operations.js'
import { type StatKey, sameFile } from './stat-key.js'

export interface Root {
  /** Absolute, links and all. */
  readonly given: string
  /** Whether links below it are followed at all. */
  readonly followsLinks: boolean
  /**
   * `undefined` while there is nothing at `given`. A folder is resolved again when another one stands where it was
   * given.
   */
  resolve(): Work<Allowed | undefined>
  /** Has the next `resolve` look again. Returns whether there was something to forget. */
  forget(): boolean
}

/** The real paths of the folders in which files may lie: the root, then those into which links may lead as well. */
export type Allowed = readonly [root: string, ...others: string[]]

/** What links below a root may do. */
export interface LinkRule {
  readonly follow: boolean
  /** Absolute paths, links and all, of folders into which they may lead besides the root. */
  readonly into: readonly string[]
}

export function rootAt(given: string, links: LinkRule = { follow: true, into: [] }): Root {
  const root = placeAt(given)
  const others = links.into.map(placeAt)
  let known: Allowed | undefined
  return {
    given,
    followsLinks: links.follow,
    *resolve() {
      const real = yield* root.resolve()
      if (real === undefined) return undefined
      if (others.length === 0 && known?.[0] === real) return known
      const folders: string[] = []
      for (const other of others) {
        const folder = yield* folderOrNothing(other)
        if (folder !== undefined) folders.push(folder)
      }
      known = [real, ...folders]
      return known
    },
    forget() {
      // All of them are asked.
      return [root, ...others].map((place) => place.forget()).some(Boolean)
    },
  }
}

interface GivenPlace {
  /** Without links; `undefined` while there is nothing. */
  resolve(): Work<string | undefined>
  forget(): boolean
}

function placeAt(given: string): GivenPlace {
  let known: (StatKey & { readonly real: string }) | undefined
  return {
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

/** One that is not there, or cannot be looked at, allows nothing; the files of the root are not to suffer from it. */
function* folderOrNothing(place: GivenPlace): Work<string | undefined> {
  try {
    const real = yield* place.resolve()
    const found = real === undefined ? undefined : yield* stat(real)
    return found?.isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

/** The allowed folder in which a path lies. The path must be free of links and dots. */
export function folderAround(allowed: Allowed, path: string): string | undefined {
  return allowed.find((folder) => isInside(folder, path))
}

/** Decided by whole parts of the paths: `/home/a-b` is not inside `/home/a`. Both must be free of links and dots. */
export function isInside(root: string, path: string): boolean {
  const outer = root.split(sep).filter(Boolean)
  const inner = path.split(sep).filter(Boolean)
  return path.startsWith(sep) === root.startsWith(sep) && outer.every((part, index) => inner[index] === part)
}
