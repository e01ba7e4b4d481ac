import { fieldsIn, mayHoldMetadata, metadataIn, unknownIn } from './note-metadata.js'

export interface NoteEntries {
  readonly text: string
  /** Why entries were left out, one for each. */
  readonly withheld: readonly string[]
}

/** What is hidden at the moment, and up to where. */
type Hidden =
  /** All below a heading, up to the next one of its level or a higher. */
  | { readonly what: 'heading'; readonly level: number }
  /** One item of a list. */
  | { readonly what: 'item' }
  /** From a line of metadata up to the next such line, or a heading not below the one it stands under. */
  | { readonly what: 'stretch'; readonly level: number }

const headingLine = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const itemLine = /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const fenceLine = /^ {0,3}(`{3,}|~{3,})/
/** Below no heading, where each heading ends what came before. */
const noLevel = 7

/**
 * A note without those entries whose first line says that they are not for the main session. An entry is what stands
 * below a heading, an item of a list, or what follows a line of metadata. In doubt more is left out, not less.
 *
 *   ## 09:30 <!-- scope: group -->        ## 09:30                  - [scope: group] an item
 *   all of this                           <!-- scope: group -->       and its lines
 *                                         all of this               - the next item is shown
 */
export function visibleEntries(content: string): NoteEntries {
  if (!mayHoldMetadata(content)) return { text: content, withheld: [] }
  const withheld: string[] = []
  let hidden: Hidden | undefined
  let level = noLevel
  let fence = ''
  let afterBlank = true

  const hide = (reason: string | undefined, what: Hidden) => {
    if (reason !== undefined) withheld.push(reason)
    hidden = reason === undefined ? undefined : what
  }
  const lines = content.split('\n')
  const read = (line: string, index: number) => {
    const heading = headingLine.exec(line)
    if (heading !== null) {
      const at = heading[1]?.length ?? 1
      if (hidden !== undefined && hidden.what !== 'item' && at > hidden.level) return
      level = at
      const own = unknownIn(fieldsIn(metadataIn(heading[2] ?? '')))
      return hide(own ?? unknownIn(fieldsIn(metadataIn(lineBelow(lines, index)))), { what: 'heading', level })
    }
    if (hidden?.what === 'heading') return
    const item = itemLine.exec(line)
    if (item !== null) {
      if (hidden?.what !== 'stretch') hide(unknownIn(fieldsIn(metadataIn(item[1] ?? ''))), { what: 'item' })
      return
    }
    if (!afterBlank || /^\s/.test(line)) return
    if (hidden?.what === 'item') hidden = undefined
    const fields = fieldsIn(metadataIn(line))
    if (fields.length > 0) hide(unknownIn(fields), { what: 'stretch', level })
  }

  const kept = lines.filter((line, index) => {
    if (fence !== '') {
      if (line.trim().startsWith(fence)) fence = ''
      return hidden === undefined
    }
    if (line.trim() !== '') read(line, index)
    fence = fenceLine.exec(line)?.[1] ?? ''
    afterBlank = line.trim() === ''
    return hidden === undefined
  })
  return { text: kept.join('\n'), withheld }
}

/** The first line below a heading that is not blank. */
function lineBelow(lines: readonly string[], index: number): string {
  let at = index + 1
  while (at < lines.length && lines[at]?.trim() === '') at += 1
  return lines[at] ?? ''
}
