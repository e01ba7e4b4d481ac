import type { Layer, LayerDocument, LayerInput } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { noteDay, noteSpecs } from '../workspace/daily-notes.js'
import { scopeOf } from '../workspace/note-scope.js'
import { fileSections, placeholderFor } from './file-sections.js'

/** MEMORY.md, then the daily notes. */
export const memoryLayer: Layer = {
  id: 'memory',
  stability: 'workspace',
  documents: (turn, { agent, notes }) => noteSpecs(agent, turn, notes, 'memory'),
  render: (input) => {
    const { texts } = input
    const files = input.documents.filter((file) => noteDay(file.path) === undefined)
    return [
      ...fileSections({ documents: files }, [texts.headingMemory], (file) =>
        file.spec.path === 'MEMORY.md'
          ? { guidance: guidanceFor(file, input), placeholder: placeholderFor(file, input) }
          : {},
      ),
      ...noteSections(input, [texts.headingMemory]),
    ]
  },
}

/** The daily notes below the given headings, each day under its date. */
export function noteSections(input: LayerInput, headings: readonly string[]) {
  return input.documents.flatMap((file) => {
    const day = noteDay(file.path)
    if (day === undefined) return []
    const scope = file.state === 'present' ? scopeOf(file) : undefined
    const drafts = fileSections({ documents: [file] }, [...headings, input.texts.headingNotes, `### ${day}`])
    return scope?.state === 'partly' ? drafts.map((draft) => ({ ...draft, text: scope.text })) : drafts
  })
}

function guidanceFor(file: LayerDocument, { texts, toolFor }: LayerInput): string {
  const values = { file: file.path }
  if (file.state !== 'present') return fill(texts.memoryAbsent, values)
  if (file.total > file.limit.soft) return fill(texts.memoryNearLimit, values)
  const tool = toolFor('edit', file.path)
  return tool === undefined ? fill(texts.memoryUpdate, values) : fill(texts.memoryUpdateWithTool, { ...values, tool })
}
