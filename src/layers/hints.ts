import type { Layer } from '../ports/layer.js'

/** Runtime notices of the turn, at the very end. */
export const hintsLayer: Layer = {
  id: 'hints',
  stability: 'turn',
  detail: 'minimal',
  render: ({ turn: { hints }, texts }) =>
    hints.length === 0 ? [] : [{ headings: [texts.headingHints], text: hints.join('\n\n'), frame: 'bare' }],
}
