import type { LayerDocument } from '../ports/layer.js'

/** Notes are shown where the main session's memory is, so that is the scope a note may name. */
const scopes: ReadonlySet<string> = new Set(['main'])
const visibilities: ReadonlySet<string> = new Set(['private', 'public'])

/** Longer first lines are prose, in UTF-16 units. */
const maxLine = 500
const pair = /["']?(?<![\p{L}\p{N}_])(scope|principal|visibility)["']?\s*[:=]\s*["']?([\p{L}\p{N}_.@/-]*)["']?/giu

/**
 * Why a note is not for the main session, by the metadata on its first line or in its front matter; `undefined` when it
 * is, as it is without any. What is not known is not shown: another scope, an unknown visibility, an empty value.
 *
 *   <!-- scope: main; principal: ines; visibility: private -->
 *   [scope: group] [visibility: public] The text may go on behind brackets.
 *   scope: main, visibility: private
 */
export function withheldBy({ content, document }: LayerDocument): string | undefined {
  const fields = [...fieldsOf(document.metadata), ...fieldsOfLine(content)]
  const unknown = fields.find(([key, value]) => {
    if (key === 'scope') return !scopes.has(value)
    return key === 'visibility' && !visibilities.has(value)
  })
  return unknown === undefined ? undefined : `${unknown[0]}: ${unknown[1] === '' ? '(empty)' : unknown[1]}`
}

type Field = readonly [key: string, value: string]

function fieldsOf(metadata: Readonly<Record<string, unknown>> | undefined): readonly Field[] {
  return Object.entries(metadata ?? {})
    .map(([key, value]) => [key.toLowerCase(), String(value).toLowerCase()] as const)
    .filter(([key]) => key === 'scope' || key === 'visibility')
}

function fieldsOfLine(content: string): readonly Field[] {
  const line = /\S.*/.exec(content.slice(0, maxLine))?.[0] ?? ''
  const metadata = metadataOf(line)
  return [...metadata.matchAll(pair)].map(([, key = '', value = '']) => [key.toLowerCase(), value.toLowerCase()])
}

/** The part of a first line that is metadata: a comment, brackets at its start, or a line of nothing but fields. */
function metadataOf(line: string): string {
  const comment = /^<!--.*?(?:-->|$)/.exec(line)?.[0]
  if (comment !== undefined) return comment
  const brackets = /^(?:[-*>]\s+)?((?:\[[^[\]]*\]\s*)+)/.exec(line)?.[1]
  if (brackets !== undefined) return brackets
  return /^[\s{}(),;|*_`-]*$/.test(line.replace(pair, '')) ? line : ''
}
