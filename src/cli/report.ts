import type { Diagnostic, Source, SystemPrompt } from '../ports/prompt.js'

/** What a person wants to know about a prompt: its sections, what became of each file, the warnings. */
export function report(prompt: SystemPrompt): string {
  const sections = table(
    ['section', 'changes with', 'chars'],
    [
      ...prompt.sections.map(({ id, stability, chars }) => [id, changes[stability], number(chars)]),
      ['total', '', number(prompt.chars)],
    ],
  )
  const files = table(['file', 'state', 'chars', 'shown', ''], prompt.sources.map(sourceRow))
  const blocks = ['', sections, ...(prompt.sources.length > 0 ? [files] : [])]
  const lines = diagnosticLines(prompt.diagnostics)
  return `${blocks.join('\n')}${lines === '' ? '' : `\n${lines}`}`
}

const changes = { static: 'the code', workspace: 'its files', session: 'the session', turn: 'the turn' } as const

function sourceRow({ path, state, rawChars, keptChars, kept }: Source): readonly string[] {
  const isThere = rawChars > 0
  const ends = kept === undefined ? '' : `${number(kept.head)} + ${number(kept.tail)}`
  return [path, state, isThere ? number(rawChars) : '–', isThere ? number(keptChars) : '–', ends]
}

export function diagnosticLines(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ severity, message }) => `${severity}: ${printable(message)}\n`).join('')
}

/** Columns as wide as their widest cell; numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(printable))
  const widths = head.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))))
  const lines = all.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - width(cell))
        return head[column] === 'chars' || head[column] === 'shown' ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** With separators between the thousands. */
export function number(value: number): string {
  return value.toLocaleString('en-US')
}

/** Ideographs and kana take two columns of a terminal. */
function width(text: string): number {
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g,
  )
  return [...text].length + (wide?.length ?? 0)
}

/** A file's name or a store's message must not steer the terminal. */
export function printable(text: string): string {
  return text.replace(steering, '\ufffd')
}

/** A value as JSON, of which no text can steer the terminal either. It is the same value. */
export function printableJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  // Inside of strings JSON escapes line ends by itself; those between them are of its own layout.
  return JSON.stringify(value, null, 2).replace(steering, (unit) => (unit === '\n' ? unit : escaped(unit)))
}

/** C0 and C1 controls, line and paragraph separators, and what turns the direction of writing. */
const steering = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
