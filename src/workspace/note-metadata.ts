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
 * What of a line is metadata: comments, brackets and braces that it begins with or that hold nothing but fields, or all
 * of a line of fields.
 *
 *   <!-- scope: main; principal: ines; visibility: private -->
 *   [scope: group] [visibility: public] The text may go on behind brackets.
 *   09:30 [scope: group] The text may stand in front of them.
 *   scope: main, visibility: private
 */
export function metadataIn(whole: string): string {
  const line = whole.slice(0, maxLine)
  const comments = line.match(/<!--(?:(?!-->).)*/g) ?? []
  const leading = /^(?:(?:\[[^[\]]*\]|\{[^{}]*\})\s*)+/.exec(line)?.[0] ?? ''
  const brackets = (line.match(/\[[^[\]]*\]|\{[^{}]*\}/g) ?? []).filter(isFields)
  const fields = isFields(line) ? line : ''
  return [...comments, leading, ...brackets, fields].join(' ')
}

function isFields(text: string): boolean {
  return /^[\s[\](){},;|*_`-]*$/.test(text.replace(pair, ''))
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
