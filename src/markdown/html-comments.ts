/**
 * Whether an HTML comment is open at the end of a piece of text.
 * @param kind in `markdown` a `<!--` in a code span or behind a backslash opens none
 */
export function commentOpenAfter(piece: string, openBefore: boolean, kind: 'markdown' | 'html'): boolean {
  const token = kind === 'markdown' ? /\\[\s\S]|`+|<!--/g : /<!--/g
  let open = openBefore
  let lastRuns: ReadonlyMap<number, number> | undefined
  for (;;) {
    if (open) {
      const close = piece.indexOf('-->', token.lastIndex)
      if (close < 0) return true
      token.lastIndex = close + 3
      open = false
    }
    const match = token.exec(piece)
    if (!match) return false
    if (match[0] === '<!--') {
      open = true
      // `<!-->` is a comment, and a whole one.
      token.lastIndex = match.index + 2
    } else if (match[0].startsWith('`')) {
      lastRuns ??= lastBacktickRuns(piece)
      token.lastIndex = codeSpanEnd(piece, token.lastIndex, match[0].length, lastRuns)
    }
  }
}

/** Where the code span ends whose opening backticks end at `at`; `at` itself if no equally long run closes it. */
function codeSpanEnd(piece: string, at: number, length: number, lastRuns: ReadonlyMap<number, number>): number {
  if ((lastRuns.get(length) ?? 0) < at) return at
  const run = /`+/g
  run.lastIndex = at
  for (let match = run.exec(piece); match; match = run.exec(piece)) if (match[0].length === length) return run.lastIndex
  return at
}

/** By length, where the last run of so many backticks starts: without it every unclosed run would be searched for anew. */
function lastBacktickRuns(piece: string): ReadonlyMap<number, number> {
  return new Map(Array.from(piece.matchAll(/`+/g), (match) => [match[0].length, match.index]))
}
