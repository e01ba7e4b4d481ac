import type { Layer } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { fileSections, placeholderFor } from './file-sections.js'

/** SOUL.md and IDENTITY.md: who the agent is. */
export const personaLayer: Layer = {
  id: 'persona',
  stability: 'workspace',
  render: (input) => {
    const { texts } = input
    return fileSections(input, [texts.headingPersona], (file) => {
      if (file.spec.path !== 'SOUL.md') return {}
      const guidance = file.state === 'present' ? texts.soulPresent : texts.soulAbsent
      return { guidance: fill(guidance, { file: file.path }), placeholder: placeholderFor(file, input) }
    })
  },
}
