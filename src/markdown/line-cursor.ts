const tabStop = 4

/** A place in one line, moved to the right over the markers of containers. Columns count a tab up to the next tab stop. */
export class LineCursor {
  /** The first character not consumed; a tab of which only some columns are consumed is still here. */
  offset: number
  column = 0
  /** The first character from `offset` on that is neither a space nor a tab. */
  next: number
  nextColumn = 0
  /** The end of the line without its trailing spaces and tabs. */
  readonly trimmedEnd: number
  #thematicBreak: { readonly from: number; readonly to: number } | undefined

  constructor(
    readonly text: string,
    readonly start: number,
    /** Where the line ending begins. */
    readonly end: number,
    /** Where the next line starts. */
    readonly nextStart: number,
  ) {
    this.offset = start
    this.next = start
    this.trimmedEnd = trimEnd(text, start, end)
    this.#findNext()
  }

  get indent(): number {
    return this.nextColumn - this.column
  }

  get blank(): boolean {
    return this.next >= this.trimmedEnd
  }

  /** The character at `next`, `''` at the end of the line. */
  get char(): string {
    return this.next < this.end ? (this.text[this.next] as string) : ''
  }

  /** The length of the run of one character that starts at `next`. */
  get run(): number {
    return runEnd(this.text, this.next, this.trimmedEnd) - this.next
  }

  /** Consumes spaces and tabs, at most `count` columns of them. */
  skipColumns(count: number): void {
    const target = Math.min(this.column + count, this.nextColumn)
    while (this.column < target) {
      const width = this.text[this.offset] === '\t' ? tabStop - (this.column % tabStop) : 1
      if (this.column + width > target) {
        this.column = target
        return
      }
      this.column += width
      this.offset += 1
    }
  }

  /** Consumes everything before `next` and a marker of `length` characters there. */
  skipMarker(length: number): void {
    this.offset = this.next + length
    this.column = this.nextColumn + length
    this.#findNext()
  }

  /** Whether what starts at `next` is a thematic break. */
  isThematicBreak(): boolean {
    // Asked again after every marker of `- - - -`, so the line is looked through once only.
    this.#thematicBreak ??= this.#findThematicBreak()
    return this.next >= this.#thematicBreak.from && this.next <= this.#thematicBreak.to
  }

  #findNext(): void {
    let at = this.offset
    let column = this.column
    for (; at < this.end; at += 1) {
      if (this.text[at] === ' ') column += 1
      else if (this.text[at] === '\t') column += tabStop - (column % tabStop)
      else break
    }
    this.next = at
    this.nextColumn = column
  }

  #findThematicBreak(): { readonly from: number; readonly to: number } {
    const marker = this.text[this.trimmedEnd - 1]
    let [from, to, count] = [this.trimmedEnd, -1, 0]
    if (marker !== '-' && marker !== '*' && marker !== '_') return { from, to }
    while (from > this.next && (this.text[from - 1] === marker || isSpaceOrTab(this.text[from - 1]))) {
      from -= 1
      if (this.text[from] === marker) count += 1
      if (count === 3 && to < 0) to = from
    }
    return { from, to }
  }
}

export function isSpaceOrTab(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

/** `end` moved left over spaces and tabs, at most to `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isSpaceOrTab(text[at - 1])) at -= 1
  return at
}

/** Where the run of the character at `start` ends. */
function runEnd(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text[at] === text[start]) at += 1
  return at
}

/** The lines of a text, a cursor at the start of each. */
export function* linesOf(text: string): Generator<LineCursor> {
  for (let at = 0; at < text.length; ) {
    const line = lineAt(text, at)
    yield line
    at = line.nextStart
  }
}

const lineEnding = /\r\n?|\n|$/g

/** The line that starts at `start`. */
export function lineAt(text: string, start: number): LineCursor {
  lineEnding.lastIndex = start
  const ending = lineEnding.exec(text)
  const end = ending?.index ?? text.length
  return new LineCursor(text, start, end, end + (ending?.[0].length ?? 0))
}
