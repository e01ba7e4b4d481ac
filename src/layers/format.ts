import type { Layer } from '../ports/layer.js'
import { describe, refuse } from '../validation.js'
import { namedFile, namedPath, namedSpec } from './named-file.js'

/** Values by key. A key without a value, or with `undefined`, is unresolved. */
export type FormatVariables = Readonly<Record<string, string | undefined>>

/**
 * How the agent is to answer, from a file that the host names. `{{KEY}}` in it is replaced by the variable of that
 * name, literally and once; a line with a key that has no value is left out, and blank lines that follow one another
 * become one. A prompt is not built without the file: its build throws `layer-failed`. The file of another agent or
 * session changes this layer alone.
 *
 * @param path - In the workspace. Blank, `null` or `undefined`: no format. Throws `invalid-options` for a path outside.
 * @param variables - Default: none. Throws `invalid-options` for a value that is no string.
 * @example
 * replaceLayer(presets.layered.layers, 'format', formatLayer('prompts/formats/chat.md', { NAME: 'Ines' }))
 */
export function formatLayer(path?: string | null, variables: FormatVariables = {}): Layer {
  const named = namedPath('formatLayer', path)
  const values = valuesOf(variables)
  return {
    id: 'format',
    stability: 'static',
    exclusive: true,
    documents: () => (named === undefined ? [] : [namedSpec('format', named)]),
    render: (input) => {
      const file = named === undefined ? undefined : namedFile(input, 'format', named)
      return file === undefined ? [] : [{ file, text: fillFormat(file.content, values) }]
    },
  }
}

/** `{{KEY}}`, in any script, with dots and dashes, with blanks inside the braces. Short: a key is a name, not a text. */
const placeholder = /\{\{[ \t]{0,8}([\p{L}_][\p{L}\p{M}\p{N}_.-]{0,63})[ \t]{0,8}\}\}/gu

/** The text of a format with its variables put in. Linear in the text and its values. */
export function fillFormat(text: string, values: ReadonlyMap<string, string>): string {
  const lines = text.split('\n').flatMap((line) => {
    let isWhole = true
    const filled = line.replace(placeholder, (whole, key: string) => {
      const value = values.get(key)
      isWhole &&= value !== undefined
      return value ?? whole
    })
    return isWhole ? [filled] : []
  })
  return lines.filter((line, index) => !isBlank(line) || !isBlank(lines[index - 1])).join('\n')
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && line.trim() === ''
}

/** A map, in which `__proto__` is a name like any other; and a copy, which the host cannot change any more. */
function valuesOf(variables: FormatVariables): ReadonlyMap<string, string> {
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
    refuse('formatLayer', [{ path: 'variables', message: `expected texts by key, got ${describe(variables)}` }])
  }
  const entries = Object.entries(variables)
  refuse(
    'formatLayer',
    entries
      .filter(([, value]) => value !== undefined && typeof value !== 'string')
      .map(([key, value]) => ({ path: `variables.${key}`, message: `expected a string, got ${describe(value)}` })),
  )
  return new Map(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
