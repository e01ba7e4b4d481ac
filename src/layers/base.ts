import { PromptError } from '../errors.js'
import type { Layer, LayerInput } from '../ports/layer.js'

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
      typeof agent.base === 'object'
        ? [{ path: agent.base.path, layer: 'base', detail: 'minimal', audience: { private: false } }]
        : [],
    render: (input) => {
      const { agent, texts } = input
      if (agent.base === undefined) return []
      const content = typeof agent.base === 'string' ? agent.base : baseFile(input).content
      if (content.trim() === '') return []
      // A section may not start with `/`, as in `/no_think`: token counts of sections would no longer add up.
      const headings = options.heading || content.trimStart().startsWith('/') ? [texts.headingBase] : []
      if (typeof agent.base === 'string') return [{ headings, text: agent.base, frame: 'bare' }]
      return [{ headings, file: baseFile(input), frame: 'bare', stability: 'workspace' }]
    },
  }
}

function baseFile({ documents, agent }: LayerInput) {
  const [file] = documents
  if (file !== undefined && (file.state === 'present' || file.state === 'empty')) return file
  const { path } = agent.base as { path: string }
  const what = file?.state === 'unreadable' ? `could not be read (${file.document.reason})` : 'is missing'
  throw new PromptError('layer-failed', `The base file ${path} ${what}; a prompt is not built without its base.`, {
    data: { layer: 'base', path },
  })
}
