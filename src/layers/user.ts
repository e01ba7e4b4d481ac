import type { Layer, LayerDocument, LayerInput } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { isUnfilled } from '../workspace/facts.js'
import { fileSections, placeholderFor } from './file-sections.js'

/**
 * USER.md: whom the agent serves.
 *
 * @param options - `heading`: the text whose heading it stands under. Default `headingUser`.
 * - `guidance`: tell the model how well it knows the user, and to write down what it learns. Default `true`.
 */
export function userLayer(
  options: { readonly heading?: 'headingUser' | 'headingPreferences'; readonly guidance?: boolean } = {},
): Layer {
  const { heading = 'headingUser', guidance = true } = options
  return {
    id: 'user',
    stability: 'workspace',
    render: (input) =>
      fileSections(input, [input.texts[heading]], (file) => {
        if (file.spec.path !== 'USER.md') return {}
        const placeholder = placeholderFor(file, input)
        return guidance ? { guidance: guidanceFor(file, input), placeholder } : { placeholder }
      }),
  }
}

function guidanceFor(file: LayerDocument, { agent, texts, toolFor }: LayerInput): string {
  if (isUnfilled(file, agent)) return fill(texts.userSparse, { file: file.path })
  const tool = toolFor('edit', file.path)
  const update =
    tool === undefined
      ? fill(texts.userUpdate, { file: file.path })
      : fill(texts.userUpdateWithTool, { file: file.path, tool })
  return `${texts.userRich}\n${update}`
}
