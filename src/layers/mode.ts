import type { Layer } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { cleanText } from '../workspace/clean.js'
import { priorities } from '../workspace/priorities.js'

/** The persona mode of the session. */
export const modeLayer: Layer = {
  id: 'mode',
  stability: 'session',
  render: ({ turn: { mode }, texts }) => {
    if (mode === undefined) return []
    const { name, style } = mode
    const text = cleanText(fill(texts.mode, { name, style: style.trim() })).text
    return [{ headings: [texts.headingMode], text, priority: priorities.never }]
  },
}
