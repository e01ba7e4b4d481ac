import type { Texts } from '../ports/texts.js'
import { fill } from '../texts/index.js'

/** The two lines that stand for what was cut. They name the read tool only where one reaches the file. */
export function truncationMarker(
  texts: Texts,
  about: { readonly total: number; readonly approximate?: boolean; readonly file?: string; readonly tool?: string },
): (kept: { readonly head: number; readonly tail: number }) => string {
  const { total, approximate, file, tool } = about
  const first =
    tool === undefined || file === undefined ? texts.truncated : fill(texts.truncatedWithTool, { tool, file })
  const shownTotal = approximate ? fill(texts.approximately, { total: `${total}` }) : `${total}`
  return ({ head, tail }) =>
    `${first}\n${fill(texts.truncatedSizes, { head: `${head}`, tail: `${tail}`, total: shownTotal })}`
}
