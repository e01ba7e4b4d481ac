/** Notes are shown where the main session's memory is, so that is the scope a note may name. */
const scopes: ReadonlySet<string> = new Set(['main'])
const visibilities: ReadonlySet<string> = new Set(['private', 'public'])

/** UTF-16 units at either end of a line; what lies between is prose. */
const maxEnd = 500
const pair =
  /["']?(?<![\p{L}\p{N}_])(scope|principal|visibility)["']?[\s*_`]*[:=：＝][\s*_`]*["']?([\p{L}\p{N}.@/-]*)["']?/giu
/** A time, a date, quote marks: what a line of a log begins with. */
const prefix = /^[\s>\d:.,T/–—-]*/

export type NoteField = readonly [key: string, value: string]

/** Whether a text could hold metadata at all. */
export function mayHoldMetadata(text: string): boolean {
  return /scope|visibility/i.test(text)
}

/**
 * What a line says whom its text is for: in comments, in brackets that it begins or ends with, or as a line of nothing
 * but fields.
 *
 *   <!-- scope: main; principal: ines; visibility: private -->
 *   [scope: group] [visibility: public] The text may go on behind brackets.
 *   09:30 (scope: group) A time may stand in front of them.
 *   scope: main, visibility: private
 *
 * @param isTitle - a heading or an item, where `Scope: parser` is a title: one bare field counts for nothing there
 */
export function fieldsIn(whole: string, isTitle = false): readonly NoteField[] {
  const line = whole.length > 2 * maxEnd ? `${whole.slice(0, maxEnd)} ${whole.slice(-maxEnd)}` : whole
  const comments = line.match(/<!--(?:(?!-->)[\s\S])*/g) ?? []
  const text = line.slice(prefix.exec(line)?.[0].length ?? 0).trimEnd()
  const leading = /^(?:(?:\[[^[\]]*\]|\{[^{}]*\}|\([^()]*\))\s*)+/.exec(text)?.[0] ?? ''
  const trailing = /(?:\[[^[\]]{0,200}\]|\{[^{}]{0,200}\}|\([^()]{0,200}\))$/.exec(text)?.[0] ?? ''
  const marked = [...comments, leading, isFields(trailing) ? trailing : ''].flatMap(pairsIn)
  const bare = isFields(text) ? pairsIn(text) : []
  return bare.length > (isTitle ? 1 : 0) ? [...marked, ...bare] : marked
}

function pairsIn(text: string): readonly NoteField[] {
  return [...text.matchAll(pair)].map(([, key = '', value = '']) => [key.toLowerCase(), value.toLowerCase()])
}

function isFields(text: string): boolean {
  return /^[\s[\](){},;|*_`-]*$/.test(text.replace(pair, ''))
}

/** The first field that keeps its text from the main session, as `scope: group`. */
export function unknownIn(fields: readonly NoteField[]): string | undefined {
  const unknown = fields.find(([key, value]) => {
    if (key === 'scope') return !scopes.has(value)
    return key === 'visibility' && !visibilities.has(value)
  })
  return unknown === undefined ? undefined : `${unknown[0]}: ${unknown[1] === '' ? '(empty)' : unknown[1]}`
}
