import type { Layer } from '../ports/layer.js'

/** The safety text. Only the host's code can change, move or drop it. */
export const safetyLayer: Layer = {
  id: 'safety',
  stability: 'static',
  detail: 'none',
  render: ({ agent, texts }) =>
    agent.safety === false ? [] : [{ headings: [texts.headingSafety], text: agent.safety, frame: 'bare' }],
}
