/** Notes are shown where the main session's memory is, so that is the scope a note may name. */
const scopes: ReadonlySet<string> = new Set(['main'])
const visibilities: ReadonlySet<string> = new Set(['private', 'public'])

/** Longer lines are prose, in UTF-16 units. */
const maxLine = 500
const pair = /["']?(?<![\p{L}\p{N}_])(scope|principal|visibility)["']?\s*[:=]\s*["']?([\p{L}\p{N}_.@/-]*)["']?/giu

export type NoteField = readonly [key: string, value: string]

/** Whether a text could hold metadata at all. */
export function mayHoldMetadata(text: string): boolean {
  return /scope|visibility/i.test(text)
}

/**
 * The part of a line that is metadata: comments anywhere, brackets or braces at its start, or a line of nothing but fields.
 *
 *   <!-- scope: main; principal: ines; visibility: private -->
 *   [scope: group] [visibility: public] The text may go on behind brackets.
 *   scope: main, visibility: private
 */
export function leadingMetadata(whole: string): string {
  const line = whole.slice(0, maxLine)
  const comments = line.match(/<!--(?:(?!-->).)*/g)
  if (comments !== null) return comments.join(' ')
  const brackets = /^(?:(?:\[[^[\]]*\]|\{[^{}]*\})\s*)+/.exec(line)?.[0]
  if (brackets !== undefined) return brackets
  return /^[\s{}(),;|*_`-]*$/.test(line.replace(pair, '')) ? line : ''
}

/** As {@link leadingMetadata}, and brackets or braces at the end: a heading has its words in front. */
export function headingMetadata(heading: string): string {
  const trailing = /(?:(?:\[[^[\]]{0,200}\]|\{[^{}]{0,200}\})\s*)+$/.exec(heading.slice(0, maxLine))?.[0] ?? ''
  return `${leadingMetadata(heading)} ${trailing}`
}

export function fieldsIn(metadata: string): readonly NoteField[] {
  return [...metadata.matchAll(pair)].map(([, key = '', value = '']) => [key.toLowerCase(), value.toLowerCase()])
}

/** The first field that keeps its text from the main session, as `scope: group`. */
export function unknownIn(fields: readonly NoteField[]): string | undefined {
  const unknown = fields.find(([key, value]) => {
    if (key === 'scope') return !scopes.has(value)
    return key === 'visibility' && !visibilities.has(value)
  })
  return unknown === undefined ? undefined : `${unknown[0]}: ${unknown[1] === '' ? '(empty)' : unknown[1]}`
}
