import { atxContent } from './atx-content.js'
import type { Blocks, Dialect, HeadingBlock, OpenBlock } from './blocks.js'
import { type HtmlBlock, htmlBlockAt } from './html-blocks.js'
import { commentOpenAfter } from './html-comments.js'
import { isSpaceOrTab, type LineCursor, linesOf } from './line-cursor.js'
import { definitionsEnd } from './link-definitions.js'
import { listItemWidth } from './list-items.js'

/** The leaf block that the next line may continue. */
type Leaf =
  | { readonly kind: 'fenced code'; readonly fence: string; readonly column: number }
  | { readonly kind: 'html'; readonly block: HtmlBlock; readonly column: number }
  | Paragraph

interface Paragraph {
  readonly kind: 'paragraph'
  readonly lines: { readonly start: number; readonly at: number; readonly end: number }[]
}

const blockQuote = 0

/** Reads a text line by line, as "phase 1: block structure" of the specification does, in time linear in its length. */
export function scanBlocks(text: string, dialect: Dialect = 'commonmark'): Blocks {
  const scanner = new BlockScanner(text, dialect)
  for (const line of linesOf(text)) scanner.read(line)
  return scanner.end()
}

/** Reads the lines of a text, one after another. */
export class BlockScanner {
  /** The open containers, outermost first: a list item by the columns its content is moved in, or `blockQuote`. */
  readonly #containers: number[] = []
  /** Where the block quotes stand among them. */
  readonly #quotes: number[] = []
  #leaf: Leaf | undefined
  /** What stands last in the innermost container, where that matters and no leaf is open. */
  #last: 'nothing' | 'indented code' | undefined
  #commentOpen = false
  readonly #headings: HeadingBlock[] = []

  constructor(
    readonly text: string,
    readonly dialect: Dialect,
  ) {}

  read(line: LineCursor): void {
    const depth = this.#continueContainers(line)
    const leaf = this.#leaf
    if (!leaf || leaf.kind === 'paragraph') this.#startBlocks(line, depth)
    else if (depth < this.#containers.length) {
      this.#leaf = undefined
      this.#startBlocks(line, depth)
    } else if (leaf.kind === 'html') this.#readHtml(line, leaf.block, leaf.column)
    else if (closesFence(line, leaf.fence)) this.#leaf = undefined
  }

  /** Whether nothing is open but containers and a paragraph that starts behind `lastOpener`. */
  isIdle(lastOpener: number): boolean {
    if (this.#commentOpen) return false
    return this.#leaf === undefined || (this.#leaf.kind === 'paragraph' && paragraphStart(this.#leaf) > lastOpener)
  }

  /** Goes on behind lines that were not read, where all that was open has ended. */
  restart(): void {
    this.#close(0)
    this.#last = undefined
  }

  end(): Blocks {
    const open = this.#openBlock()
    this.#close(this.#containers.length)
    return { headings: this.#headings, open, commentOpen: this.#commentOpen }
  }

  #openBlock(): OpenBlock | undefined {
    const leaf = this.#leaf
    if (!leaf || leaf.kind === 'paragraph' || this.#quotes.length > 0) return undefined
    const closer = leaf.kind === 'html' ? leaf.block.closer : leaf.fence
    return closer === '' ? undefined : { kind: leaf.kind, closer, column: leaf.column }
  }

  /** Consumes the markers of the open containers that the line continues, and says how many these are. */
  #continueContainers(line: LineCursor): number {
    let quotes = 0
    for (let depth = 0; depth < this.#containers.length && !line.blank; depth += 1) {
      const width = this.#containers[depth] as number
      if (width === blockQuote) {
        if (line.indent > 3 || line.char !== '>') return depth
        skipQuoteMarker(line)
        quotes += 1
      } else {
        if (line.indent < width) return depth
        line.skipColumns(width)
      }
    }
    if (!line.blank) return this.#containers.length
    // A blank line continues all list items up to the next block quote: to visit each could take quadratic time.
    const depth = this.#quotes[quotes] ?? this.#containers.length
    return depth === this.#containers.length && this.#last === 'nothing' ? depth - 1 : depth
  }

  /** Reads a line that continues the first `matched` containers and neither fenced code nor an HTML block. */
  #startBlocks(line: LineCursor, matched: number): void {
    let depth = matched
    let interrupts = this.#continuesText(depth)
    while (line.indent <= 3 && !line.blank) {
      if (this.#startLeaf(line, depth)) return
      const width = line.char === '>' ? blockQuote : listItemWidth(line, interrupts, this.dialect === 'micromark')
      if (width === undefined) break
      this.#start(depth)
      this.#containers.push(width)
      if (width === blockQuote) {
        this.#quotes.push(depth)
        skipQuoteMarker(line)
      } else this.#last = 'nothing'
      depth += 1
      interrupts &&= this.dialect === 'micromark'
    }
    if (line.blank) this.#close(depth)
    else if (this.#leaf?.kind === 'paragraph') addLine(this.#leaf, line)
    else this.#startText(line, depth)
  }

  /** Whether a line in the container at `depth` that starts no other block goes on with the text before it. */
  #continuesText(depth: number): boolean {
    if (depth < this.#containers.length) return false
    return this.#leaf !== undefined || (this.dialect === 'micromark' && this.#last === 'indented code')
  }

  /** Starts a paragraph or indented code. */
  #startText(line: LineCursor, depth: number): void {
    const closes = depth < this.#containers.length
    this.#start(depth)
    if (line.indent > 3) this.#last = closes ? undefined : 'indented code'
    else {
      this.#leaf = { kind: 'paragraph', lines: [] }
      addLine(this.#leaf, line)
    }
  }

  /** Starts the leaf block, other than a paragraph or indented code, that this line is or begins. */
  #startLeaf(line: LineCursor, depth: number): boolean {
    switch (line.char) {
      case '#':
        return this.#startAtxHeading(line, depth)
      case '`':
      case '~':
        return this.#startFencedCode(line, depth)
      case '<':
        return this.#startHtml(line, depth)
      case '=':
      case '-':
      case '*':
      case '_':
        return this.#endSetextHeading(line, depth) || this.#startThematicBreak(line, depth)
      default:
        return false
    }
  }

  #startAtxHeading(line: LineCursor, depth: number): boolean {
    const level = line.run
    const after = line.next + level
    if (level > 6 || (after < line.end && !isSpaceOrTab(this.text[after]))) return false
    this.#start(depth)
    const { start, end } = line
    const prefix = this.text.slice(start, line.next)
    const content = atxContent(this.text.slice(after, line.trimmedEnd))
    this.#headings.push({ level, content, start, end, prefix, underline: undefined, nested: depth > 0 })
    this.#commentOpen = commentOpenAfter(content, this.#commentOpen, 'markdown')
    return true
  }

  #startFencedCode(line: LineCursor, depth: number): boolean {
    const infoStart = line.next + line.run
    if (line.run < 3 || (line.char === '`' && this.text.slice(infoStart, line.end).includes('`'))) return false
    this.#start(depth)
    this.#leaf = { kind: 'fenced code', fence: this.text.slice(line.next, infoStart), column: line.nextColumn }
    return true
  }

  #startHtml(line: LineCursor, depth: number): boolean {
    const block = htmlBlockAt(this.text.slice(line.next, line.end), this.dialect)
    if (!block) return false
    if (block.interrupts || !this.#leaf) this.#start(depth)
    else if (this.dialect === 'micromark' && depth < this.#containers.length) this.#start(this.#containers.length)
    else return false
    this.#readHtml(line, block, line.nextColumn)
    return true
  }

  #readHtml(line: LineCursor, block: HtmlBlock, column: number): void {
    const rest = this.text.slice(line.offset, line.end)
    if (block.comments) this.#commentOpen = commentOpenAfter(rest, this.#commentOpen, 'html')
    const ends = block.end === 'blank line' ? line.blank : block.end.test(rest)
    this.#leaf = ends ? undefined : { kind: 'html', block, column }
  }

  #startThematicBreak(line: LineCursor, depth: number): boolean {
    if (!line.isThematicBreak()) return false
    this.#start(depth)
    return true
  }

  /** Makes the open paragraph a heading if the line underlines it. */
  #endSetextHeading(line: LineCursor, depth: number): boolean {
    const level = line.char === '=' ? 1 : line.char === '-' ? 2 : 0
    if (level === 0 || line.next + line.run !== line.trimmedEnd) return false
    if (this.#leaf?.kind !== 'paragraph' || depth < this.#containers.length) return false
    const lines = this.#leaf.lines
    const contents = lines.map(({ at, end }) => this.text.slice(at, end))
    const paragraph = contents.join('\n')
    const definitions = definitionsEnd(paragraph, this.dialect)
    if (definitions === paragraph.length) return false
    const first = paragraph.slice(0, definitions).split('\n').length - 1
    const { start, at } = lines[first] as Paragraph['lines'][number]
    const prefix = first > 0 ? this.text.slice(line.start, line.next) : this.text.slice(start, at)
    const content = contents.slice(first).join(' ')
    this.#start(depth)
    this.#headings.push({ level, content, start, end: line.end, prefix, underline: line.next, nested: depth > 0 })
    return true
  }

  /** Makes room for a block that starts in the container at `depth`. */
  #start(depth: number): void {
    this.#close(depth)
    this.#last = undefined
  }

  /** Closes the open paragraph, and the containers beyond `depth`. */
  #close(depth: number): void {
    if (this.#leaf?.kind === 'paragraph') {
      const piece = this.text.slice(this.#leaf.lines[0]?.at, this.#leaf.lines.at(-1)?.end)
      this.#commentOpen = commentOpenAfter(piece, this.#commentOpen, 'markdown')
    }
    this.#leaf = undefined
    if (depth === this.#containers.length) return
    this.#containers.length = depth
    while ((this.#quotes.at(-1) ?? -1) >= depth) this.#quotes.pop()
    this.#last = undefined
  }
}

function skipQuoteMarker(line: LineCursor): void {
  line.skipMarker(1)
  line.skipColumns(1)
}

function closesFence(line: LineCursor, fence: string): boolean {
  if (line.indent > 3 || line.char !== fence[0]) return false
  return line.run >= fence.length && line.next + line.run === line.trimmedEnd
}

function paragraphStart({ lines }: Paragraph): number {
  return lines[0]?.start ?? 0
}

function addLine(paragraph: Paragraph, line: LineCursor): void {
  paragraph.lines.push({ start: line.start, at: line.next, end: line.trimmedEnd })
}
