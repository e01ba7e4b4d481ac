import * as z from 'zod'
import type { CutBoundary, CutStrategy } from '../ports/layer.js'
import type { Locale } from '../ports/texts.js'
import { textsByLocale } from '../texts/index.js'
import { boundary, check, locale, type Problem, refuse, share, size, strategy } from '../validation.js'
import { type Cut, cutText, joinCut, type Kept } from './cut.js'
import { truncationMarker } from './marker.js'

/** Sizes are UTF-16 units. */
export interface TruncateOptions {
  /** Default 20,000. */
  readonly max?: number | undefined
  /** The share of `max` that the beginning keeps. Default 0.7. */
  readonly head?: number | undefined
  /** The share of `max` that the end keeps. Default 0.2. */
  readonly tail?: number | undefined
  /** `newest` keeps the end alone, `sections` whole Markdown sections. Default `head-tail`. */
  readonly strategy?: CutStrategy | undefined
  /** `line` moves cuts inward to line ends. Default `exact`. */
  readonly boundary?: CutBoundary | undefined
  /**
   * `true`: the start of what is kept of the end moves in steps of 5 % of `max`, and the marker does not say how long the
   * text is. So a text that grows by lines at its end gives a result that grows at its end, until a step is full. Default
   * `false`.
   */
  readonly stepped?: boolean | undefined
  /** The file's name, for the marker. */
  readonly name?: string | undefined
  /** Default `en`. */
  readonly locale?: Locale | undefined
  /** The tool that reads the whole file. Left out, or without `name`: the marker names no tool. */
  readonly readTool?: string | undefined
}

export interface Truncated {
  /** At most `max` units. */
  readonly text: string
  readonly truncated: boolean
  /** Units of it that are shown, from its beginning and from its end. Of `sections`, all are counted in `head`. */
  readonly kept: Kept
  /** Units of the text before the cut. */
  readonly total: number
}

const schema = z.strictObject({
  max: size.optional(),
  head: share.optional(),
  tail: share.optional(),
  strategy: strategy.optional(),
  boundary: boundary.optional(),
  stepped: z.boolean().optional(),
  name: z.string().optional(),
  locale: locale.optional(),
  readTool: z.string().optional(),
})

/**
 * Cuts a text to at most `max` UTF-16 units: by default the first 70 %, a marker of two lines, the last 20 %. A text
 * that fits is returned unchanged, so truncating twice changes nothing; no grapheme is ever split. Where the full
 * marker does not fit a compact one stands, or none. Throws `invalid-options` for sizes and shares it cannot take.
 *
 * @example
 * truncate(memory, { max: 20_000, name: 'MEMORY.md', readTool: 'read' }).text
 */
export function truncate(text: string, options: TruncateOptions = {}): Truncated {
  check('truncate', z.string(), text)
  check('truncate', schema, options)
  const { max = 20_000, head = 0.7, tail = 0.2, stepped = false, name, readTool } = options
  refuse('truncate', shareProblems('head', head, tail))
  const texts = textsByLocale[options.locale ?? 'en']
  const marker = truncationMarker(texts, {
    total: text.length,
    stepped,
    ...(name !== undefined && { file: name }),
    ...(readTool !== undefined && { tool: readTool }),
  })
  const cut = cutText(text, {
    max,
    head,
    tail,
    strategy: options.strategy ?? 'head-tail',
    boundary: options.boundary,
    stepped,
    marker,
    compactMarker: texts.truncatedCompact,
  })
  if (cut === undefined) return { text, truncated: false, kept: { head: text.length, tail: 0 }, total: text.length }
  return { text: joinCut(cut), truncated: true, kept: keptBy(cut), total: text.length }
}

/** UTF-16 units of the text that a cut shows word for word. */
export function keptBy({ head, tail, kept }: Cut): Kept {
  return kept ?? { head: head.length, tail: tail.length }
}

/** What is wrong with the shares of a cut. */
export function shareProblems(path: string, head: number, tail: number): readonly Problem[] {
  // A sum such as 0.7 + 0.3 may come out a hair over 1.
  if (head + tail <= 1 + 1e-9) return []
  return [{ path, message: `expected head + tail of at most 1, got ${head} + ${tail}` }]
}
