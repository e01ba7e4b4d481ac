import { fieldsIn, mayHoldMetadata, type NoteField, unknownIn } from './note-metadata.js'

export interface NoteEntries {
  readonly text: string
  /** Why entries were left out, one for each. */
  readonly withheld: readonly string[]
}

/** What is hidden at the moment, and up to where. */
type Hidden =
  /** All below a heading, up to the next one of its level or a higher. */
  | { readonly what: 'heading'; readonly level: number }
  /** One item of a list, up to what is indented no further. */
  | { readonly what: 'item'; readonly indent: number }
  /** From a line of metadata up to the next such line, or a heading not below the one it stands under. */
  | { readonly what: 'stretch'; readonly level: number; isEmpty: boolean }

const headingLine = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const itemLine = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/
/** Below no heading, where each heading ends what came before. */
const noLevel = 7
/** A comment that goes on for longer is no metadata. */
const maxCommentLines = 12

/**
 * A note without those entries whose first line says that they are not for the main session. An entry is what stands
 * below a heading, an item of a list, or what follows a line of metadata. In doubt more is left out, not less: what
 * looks like code may hide, but nothing in it makes a hidden entry end.
 *
 *   ## 09:30 <!-- scope: group -->        ## 09:30                  - [scope: group] an item
 *   all of this                           <!-- scope: group -->       and its lines
 *                                         all of this               - the next item is shown
 */
export function visibleEntries(content: string): NoteEntries {
  if (!mayHoldMetadata(content)) return { text: content, withheld: [] }
  const lines = content.split('\n')
  const withheld: string[] = []
  const inCode = codeTracker()
  let hidden: Hidden | undefined
  let level = noLevel
  let afterBlank = true

  const hide = (reason: string, what: Hidden) => {
    withheld.push(reason)
    hidden = what
  }
  const readHeading = (at: number, title: string, index: number, code: boolean) => {
    const isMarkedAbove = hidden?.what === 'stretch' && hidden.isEmpty
    const isBelow = hidden !== undefined && hidden.what !== 'item' && at > hidden.level
    if ((isBelow || code) && hidden !== undefined && !isMarkedAbove) return
    level = at
    const reason = isMarkedAbove
      ? withheld.pop()
      : (unknownIn(fieldsIn(title, true)) ?? unknownIn(fieldsAt(lines, lineBelow(lines, index))))
    hidden = undefined
    if (reason !== undefined) hide(reason, { what: 'heading', level })
  }
  const readItem = (indent: number, text: string, code: boolean) => {
    if (hidden !== undefined && (hidden.what !== 'item' || indent > hidden.indent || code)) return
    const reason = unknownIn(fieldsIn(text, true))
    hidden = undefined
    if (reason !== undefined) hide(reason, { what: 'item', indent })
  }
  const readText = (line: string, index: number, code: boolean) => {
    const ends = hidden?.what === 'item' && afterBlank && indentOf(line) <= hidden.indent && !code
    if (ends) hidden = undefined
    const fields = fieldsAt(lines, index)
    const reason = unknownIn(fields)
    if (reason !== undefined) hide(reason, { what: 'stretch', level, isEmpty: true })
    else if (fields.length > 0 && hidden?.what === 'stretch' && !code) hidden = undefined
    else if (hidden?.what === 'stretch') hidden.isEmpty = false
  }

  const kept = lines.filter((line, index) => {
    const code = inCode(line)
    if (line.trim() !== '') {
      const heading = headingLine.exec(line)
      const item = itemLine.exec(line)
      if (heading !== null) readHeading(heading[1]?.length ?? 1, heading[2] ?? '', index, code)
      else if (hidden?.what !== 'heading') {
        if (item !== null) readItem(indentOf(item[1] ?? ''), item[2] ?? '', code)
        else readText(line, index, code)
      }
    }
    afterBlank = line.trim() === ''
    return hidden === undefined
  })
  return { text: kept.join('\n'), withheld }
}

/** Tells of each line, in order, whether it may be code in a fence: generously, at whatever indentation. */
export function codeTracker(): (line: string) => boolean {
  let fence = ''
  return (line) => {
    const text = line.trim()
    if (fence === '') {
      fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0] ?? ''
      return fence !== ''
    }
    const closes = text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length)
    if (closes) fence = ''
    return true
  }
}

/** Whether an entry of its own begins with this line. */
export function beginsEntry(line: string): boolean {
  return headingLine.test(line) || itemLine.test(line)
}

/** The metadata of a line, with the rest of a comment that goes on below it. */
export function fieldsAt(lines: readonly string[], index: number): readonly NoteField[] {
  const line = lines[index] ?? ''
  const opens = line.lastIndexOf('<!--')
  if (opens === -1 || line.includes('-->', opens)) return fieldsIn(line)
  return fieldsIn(lines.slice(index, index + maxCommentLines).join('\n'))
}

/** The first line below a heading that is not blank. */
function lineBelow(lines: readonly string[], index: number): number {
  let at = index + 1
  while (at < lines.length && lines[at]?.trim() === '') at += 1
  return at
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
