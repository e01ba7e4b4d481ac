import type { Layer } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { priorities } from '../workspace/priorities.js'
import { fileSections, placeholderFor } from './file-sections.js'
import { namedFileLayer } from './named-file.js'

/**
 * SOUL.md and IDENTITY.md: who the agent is.
 *
 * @param options - `heading`: stand under the persona heading. Default `true`.
 * - `guidance`: tell the model what to do with SOUL.md, and where there is none. Default `true`.
 */
export function soulLayer(options: { readonly heading?: boolean; readonly guidance?: boolean } = {}): Layer {
  const { heading = true, guidance = true } = options
  return {
    id: 'persona',
    stability: 'workspace',
    render: (input) => {
      const { texts } = input
      return fileSections(input, heading ? [texts.headingPersona] : [], (file) => {
        if (file.spec.path !== 'SOUL.md') return {}
        const placeholder = placeholderFor(file, input)
        if (!guidance) return { placeholder }
        const text = file.state === 'present' ? texts.soulPresent : texts.soulAbsent
        return { guidance: fill(text, { file: file.path }), placeholder }
      })
    },
  }
}

/**
 * The persona from a file that the host names, in place of SOUL.md and IDENTITY.md, without guidance. A prompt is not
 * built without the file: its build throws `layer-failed`.
 *
 * @param path - In the workspace. Blank, `null` or `undefined`: no persona. Throws `invalid-options` for a path outside.
 * @param options - `heading`: stand under the persona heading. Default: where files stand in tags.
 * @example
 * replaceLayer(presets.layered.layers, 'persona', personaLayer('prompts/characters/inkstone.md'))
 */
export function personaLayer(path: string | null | undefined, options: { readonly heading?: boolean } = {}): Layer {
  const layer = { id: 'persona', stability: 'workspace', priority: priorities.soul } as const
  return namedFileLayer(layer, path, 'headingPersona', options.heading, (file) => ({ file }))
}
