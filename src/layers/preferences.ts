import type { Layer } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { priorities } from '../workspace/priorities.js'
import { oneLine } from './one-line.js'

/**
 * How the user wants to be answered, a line each.
 *
 * @param options - `heading`: the text whose heading they stand under. Default `headingUser`.
 */
export function preferencesLayer(options: { readonly heading?: 'headingUser' | 'headingPreferences' } = {}): Layer {
  return {
    id: 'preferences',
    stability: 'workspace',
    render: ({ turn: { preferences }, texts }) => {
      if (preferences.length === 0) return []
      const lines = preferences.map(({ key, value }) =>
        fill(texts.preference, { key: oneLine(key), value: oneLine(value) }),
      )
      return [
        { headings: [texts[options.heading ?? 'headingUser']], text: lines.join('\n'), priority: priorities.user },
      ]
    },
  }
}
