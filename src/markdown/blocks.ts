/** A text's blocks, as far as they matter to what stands before and after the text. */
export interface Blocks extends OpenBlocks {
  readonly headings: readonly HeadingBlock[]
}

/** What of a text's blocks is open at its end. */
export interface OpenBlocks {
  /** The fenced code or HTML block that is open at the end and that no blank line ends. */
  readonly open: OpenBlock | undefined
  /** Whether an HTML comment is open at the end for a reader who looks for `<!--` and `-->` only. */
  readonly commentOpen: boolean
}

export interface OpenBlock {
  readonly kind: 'fenced code' | 'html'
  readonly closer: string
  /** The column where its opener stands. */
  readonly column: number
}

export interface HeadingBlock {
  readonly level: number
  /** Its text as written, several lines joined by spaces. */
  readonly content: string
  /** From the start of its first line to the end of its last, without the line ending. */
  readonly start: number
  readonly end: number
  /** What stands before it if it is put on one line: indentation and the markers of containers. */
  readonly prefix: string
  /** Where the underline of a setext heading starts. */
  readonly underline: number | undefined
  /** Whether it stands in a block quote or a list item. */
  readonly nested: boolean
}

/**
 * The specification, or micromark, on which most renderers in JavaScript are built, where it departs from that:
 *
 * - a list item that cannot interrupt a paragraph cannot follow indented code either, nor the marker of a container
 *   that has just interrupted a paragraph in the same line; `01.` is not 1
 * - the lazy line of a paragraph can start an HTML block of a complete tag, inside the containers the paragraph is in
 * - an unquoted attribute value holds no `/`, a link title in parentheses may hold a `(`
 */
export type Dialect = 'commonmark' | 'micromark'
