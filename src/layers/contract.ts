import type { Layer } from '../ports/layer.js'
import { fileSections } from './file-sections.js'

/** AGENTS.md: how the agent works here. */
export const contractLayer: Layer = {
  id: 'contract',
  stability: 'workspace',
  detail: 'minimal',
  render: (input) => fileSections(input, [input.texts.headingContract]),
}
