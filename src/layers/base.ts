import type { Layer } from '../ports/layer.js'
import { namedFile, namedSpec } from './named-file.js'

/**
 * The host's own instructions: a text, or a file that the host names. The file speaks with the host's voice, so it
 * stands bare and whole, and a prompt is not built without it.
 *
 * @param options - `heading`: stand under the base heading. Default `false`.
 */
export function baseLayer(options: { readonly heading?: boolean } = {}): Layer {
  return {
    id: 'base',
    stability: 'static',
    detail: 'minimal',
    documents: (_turn, { agent }) =>
      typeof agent.base === 'object' ? [namedSpec('base', agent.base.path, 'minimal')] : [],
    render: (input) => {
      const { agent, texts } = input
      if (agent.base === undefined) return []
      const file = typeof agent.base === 'string' ? undefined : namedFile(input, agent.base.path)
      const content = typeof agent.base === 'string' ? agent.base : (file?.content ?? '')
      if (content.trim() === '') return []
      // A section may not start with `/`, as in `/no_think`: token counts of sections would no longer add up.
      const headings = options.heading || content.trimStart().startsWith('/') ? [texts.headingBase] : []
      return [{ headings, frame: 'bare', ...(file === undefined ? { text: content } : { file }) }]
    },
  }
}
