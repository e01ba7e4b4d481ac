import type { Layer, LayerDocument, LayerInput } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { isUnfilled } from '../workspace/facts.js'
import { fileSections, placeholderFor } from './file-sections.js'

/** USER.md: whom the agent serves. */
export const userLayer: Layer = {
  id: 'user',
  stability: 'workspace',
  render: (input) =>
    fileSections(input, [input.texts.headingUser], (file) =>
      file.spec.path === 'USER.md'
        ? { guidance: guidanceFor(file, input), placeholder: placeholderFor(file, input) }
        : {},
    ),
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
