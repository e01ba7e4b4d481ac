import type { Layer } from '../ports/layer.js'

/** The conversation rules that the host gives. */
export const rulesLayer: Layer = {
  id: 'rules',
  stability: 'static',
  render: ({ agent, texts }) =>
    agent.rules === undefined ? [] : [{ headings: [texts.headingRules], text: agent.rules, frame: 'bare' }],
}
