import type { Cut } from '../budget/cut.js'
import type { FittedSection } from '../budget/fit.js'
import { levelOf } from '../layers/file-sections.js'
import { closersFor, demoteHeadings } from '../markdown/structure.js'
import type { Agent } from '../ports/agent.js'
import { escapeAttribute, escapeDelimiters } from './escape.js'

/**
 * The text of one section: headings, content in its frame, guidance, one blank line between them.
 *
 *   # Persona                      headings that the section before does not stand under already
 *
 *   <file name="SOUL.md">          in tag mode
 *   …content…
 *   ```                            closers for what the content leaves open
 *   </file>
 *
 *   Let the persona …              guidance
 *
 * With a rule, `---` stands right above the first heading. `''` when there is nothing to say.
 */
export function sectionText(section: FittedSection, opening: Opening, agent: Agent): string {
  const { draft } = section
  const { headings, rule } = opening
  // What opens a section may not be indented, and whether it opens a block of code is seen only without that.
  const opens = headings.length === 0
  const content = draft.file === undefined ? ownText(section, opens) : fileText(section, opens, agent)
  // A sentence may name a tool, and tools come from servers too.
  const guidance = closed(escapeDelimiters(draft.guidance?.trim() ?? '', { fileTag: true }))
  const parts = [content, guidance].filter((part) => part.trim() !== '')
  if (parts.length === 0) return ''
  const text = [...headings, ...parts].join('\n\n')
  const lines = headings.length === 0 ? startPlainly(text) : text
  if (!rule) return `${lines}\n\n`
  // A rule above anything but a heading keeps its distance, or it could be read as the start of front matter.
  return headings.length === 0 ? `---\n\n${lines}\n\n` : `---\n${lines}\n\n`
}

/** What stands at the head of a section, given those before it. */
export interface Opening {
  readonly headings: readonly string[]
  readonly rule: boolean
}

/** Token counts of sections add up only if none starts with white space or `/`. */
function startPlainly(text: string): string {
  const trimmed = text.trimStart()
  return trimmed.startsWith('/') ? `\\${trimmed}` : trimmed
}

/** A text that is no file. The host's own voice is left as it is; what may hold other people's words is escaped. */
function ownText({ draft, cut }: FittedSection, opens: boolean): string {
  const show = (text: string) => (draft.frame === 'bare' ? text : escapeDelimiters(text, { fileTag: true }))
  const text = (draft.text ?? '').replace(/\r\n?/g, '\n')
  return cutOrWhole(text, cut, opens, show)
}

function fileText(section: FittedSection, opens: boolean, agent: Agent): string {
  const { file, text, frame, placeholder, headings } = section.draft
  if (file === undefined) return ''
  const isBare = frame === 'bare'
  const inTag = !isBare && agent.delimiter === 'tag'
  if (text === undefined && file.state === 'empty') {
    return placeholder === undefined ? '' : inFrame(closed(placeholder), file.path, inTag)
  }
  if (text === undefined && file.state !== 'present') return ''

  const show = (content: string) => {
    if (isBare) return content
    const demoted = agent.demoteHeadings ? demoteHeadings(content, levelOf(headings)) : content
    return escapeDelimiters(demoted, { fileTag: inTag })
  }
  return inFrame(cutOrWhole(text ?? file.content, section.cut, opens && !inTag, show).trimEnd(), file.path, inTag)
}

function cutOrWhole(content: string, cut: Cut | undefined, opens: boolean, show: (content: string) => string): string {
  const start = (text: string) => (opens ? text.trimStart() : text)
  if (cut === undefined) return closed(show(start(trimBlankLines(content))))
  if (cut.marker === '') return closed(show(start(cut.head + cut.tail)))
  // Head and tail are closed apart: what the cut leaves open may swallow neither the marker nor the tail.
  const [head = '', tail = ''] = [start(cut.head), cut.tail].map((end) => (end === '' ? '' : closed(show(end))))
  const marker = escapeDelimiters(cut.marker, { fileTag: true })
  return [head, marker, tail].filter((part) => part !== '').join('\n\n')
}

function inFrame(content: string, path: string, inTag: boolean): string {
  if (content === '' || !inTag) return content
  const tag = `<file name="${escapeAttribute(path)}">`
  return `${tag}\n${hidesOpening(content) ? '\n' : ''}${content}\n</file>`
}

/**
 * To CommonMark a tag alone on its line begins HTML that runs to the first blank line. A fence that opens in there is
 * none, and its closing line then opens one; a blank line behind the tag sets that right.
 */
function hidesOpening(content: string): boolean {
  return closersFor(content.slice(0, content.search(/\n[ \t]*\n|$/))) !== ''
}

function closed(text: string): string {
  const closers = closersFor(text)
  return closers === '' ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${closers}`
}

function trimBlankLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}
