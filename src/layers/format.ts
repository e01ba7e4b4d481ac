import { PromptError } from '../errors.js'
import type { Layer, LayerDocument } from '../ports/layer.js'
import { describe, refuse } from '../validation.js'
import { cleanText } from '../workspace/clean.js'
import { priorities } from '../workspace/priorities.js'
import { namedFileLayer } from './named-file.js'

/** Values by key. A key without a value, or with `undefined`, is unresolved. */
export type FormatVariables = Readonly<Record<string, string | undefined>>

/**
 * How the agent is to answer, from a file that the host names. `{{KEY}}` in it, or `{{ KEY }}`, is replaced by the
 * variable of that very name, literally and once; a line with a key that has no value is left out, which the diagnostic
 * `layer-note` says, and blank lines that follow one another become one. A prompt is not built without the file: its
 * build throws `layer-failed`. The file of another agent or session changes this layer alone.
 *
 * @param path - In the workspace. Blank, `null` or `undefined`: no format. Throws `invalid-options` for a path outside.
 * @param variables - Default: none. Throws `invalid-options` for a value that is no string.
 * @param options - `heading`: stand under a heading of the library's. Default: where files stand in tags.
 * @example
 * replaceLayer(presets.layered.layers, 'format', formatLayer('prompts/formats/chat.md', { NAME: 'Ines' }))
 */
export function formatLayer(
  path?: string | null,
  variables: FormatVariables = {},
  options: { readonly heading?: boolean } = {},
): Layer {
  const values = valuesOf(variables)
  const layer = { id: 'format', stability: 'static', priority: priorities.never } as const
  return namedFileLayer(layer, path, 'headingFormat', options.heading, (file) => {
    if (file.document.gap !== undefined) throw tooLong(file)
    const { text, unresolved } = fillFormat(file.content, values)
    return { file, text, notes: unresolved.length === 0 ? [] : [omission(file, unresolved)] }
  })
}

/** Its lines can be filled in only where all of them are in hand. */
function tooLong({ path, total }: LayerDocument): PromptError {
  const message = `The format file ${path} has ${total} chars, of which only the two ends are read; expected at most 1,048,576.`
  return new PromptError('layer-failed', message, { data: { layer: 'format', path } })
}

function omission({ path }: LayerDocument, unresolved: readonly string[]): string {
  const keys = [...new Set(unresolved)]
  const named = `${keys.slice(0, 8).join(', ')}${keys.length > 8 ? ` and ${keys.length - 8} more` : ''}`
  return `${path} is shown without the lines that name keys without a value: ${named}.`
}

/** `{{KEY}}`, in any script, with dots and dashes, with blanks inside the braces. Short: a key is a name, not a text. */
const placeholder = /\{\{[ \t]{0,8}([\p{L}_][\p{L}\p{M}\p{N}_.-]{0,63})[ \t]{0,8}\}\}/gu

/** The text of a format with its variables put in, and the keys that have none. Linear in the text and its values. */
export function fillFormat(
  text: string,
  values: ReadonlyMap<string, string>,
): { readonly text: string; readonly unresolved: readonly string[] } {
  const unresolved: string[] = []
  const lines = text.split('\n').flatMap((line) => {
    const known = unresolved.length
    const filled = line.replace(placeholder, (whole, key: string) => {
      const value = values.get(key)
      if (value === undefined) unresolved.push(key)
      return value ?? whole
    })
    return unresolved.length === known ? [filled] : []
  })
  const kept = lines.filter((line, index) => !isBlank(line) || !isBlank(lines[index - 1]))
  return { text: kept.join('\n'), unresolved }
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
  // A file's own text is cleaned when it is loaded; what comes into it is cleaned here.
  return new Map(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, cleanText(value).text]])))
}
