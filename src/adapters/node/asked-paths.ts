import { checkPath, normalizePath } from '../../workspace/paths.js'

/** Watched whether or not anything in them was asked for: the workspace itself, and its notes. */
const ALWAYS = ['', 'memory']
const MAX_FOLDERS = 64
const MAX_PATHS = 1_024

/** What was asked for so far, as far as it can be watched: the first 64 folders and 1,024 paths. */
export interface AskedPaths {
  /** Called on every read, so a path that was noted before costs one lookup. */
  note(paths: readonly string[]): void
  /** Relative to the workspace, `''` for itself. */
  readonly folders: ReadonlySet<string>
  namesIn(folder: string): readonly string[]
}

export function askedPaths(): AskedPaths {
  const folders = new Set(ALWAYS)
  const known = new Set<string>()
  function add(asked: string) {
    const path = normalizePath(asked)
    if (checkPath(path) !== undefined || !canMatter(path)) return
    if (known.size < MAX_PATHS) known.add(path)
    if (folders.size < MAX_FOLDERS) folders.add(folderOf(path))
  }
  return {
    note(paths) {
      for (const path of paths) if (!known.has(path)) add(path)
    },
    folders,
    namesIn: (folder) => [...known].filter((path) => folderOf(path) === folder).map(nameOf),
  }
}

/** Whether a file of this name, or path, can be part of a workspace. `.#` begins the lock of an editor. */
export function canMatter(path: string): boolean {
  return /\.(?:md|txt|jsonl?|ya?ml|toml)$/i.test(path) && !nameOf(path).startsWith('.#')
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
