/** UTF-16 units. */
const MAX_PATH = 1_024

/**
 * Why a workspace path is refused, as the rest of a sentence that begins with the path; `undefined` when it is fine.
 * A good path is relative, with `/` between its parts, and names no part `.` or `..`. It looks at the name alone: where
 * links lead is for the file system to see.
 *
 * @example
 * checkPath('memory/2026-02-16.md') // undefined
 * checkPath('../secrets') // 'has the part ".."'
 */
export function checkPath(path: string): string | undefined {
  if (typeof path !== 'string') return 'is not a string'
  if (path === '') return 'is empty'
  if (path.length > MAX_PATH) return `has more than ${MAX_PATH} characters`
  if (/[\0-\x1f\x7f-\x9f]/.test(path)) return 'holds NUL or another control character'
  // Stores write names as UTF-8, where every half pair becomes the same U+FFFD: two paths would be one file.
  if (!path.isWellFormed()) return 'holds half of a surrogate pair'
  if (path.includes('\\')) return 'holds a backslash; the parts of a path are separated by "/"'
  if (path.startsWith('/')) return 'is absolute; a path starts at the workspace'
  if (/^[A-Za-z]:/.test(path)) return 'starts with a drive letter; a path starts at the workspace'
  for (const part of path.split('/')) {
    if (part === '') return 'has an empty part'
    if (part === '.' || part === '..') return `has the part "${part}"`
  }
  return undefined
}

/**
 * `./NAME` is `NAME`; everything else stays as it is, for {@link checkPath} to judge.
 *
 * @example
 * normalizePath('./SOUL.md') // 'SOUL.md'
 */
export function normalizePath(path: string): string {
  let result = path
  while (typeof result === 'string' && result.startsWith('./')) result = result.slice(2)
  return result
}
