import type { Layer, LayerInput } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { noteDay, noteSpecs } from '../workspace/daily-notes.js'
import { priorities } from '../workspace/priorities.js'
import { fileSections, placeholderFor } from './file-sections.js'
import { noteSections } from './memory.js'
import { joinSentences, precedenceOf, precedenceSentence } from './preface.js'

/** All workspace files in one section of the prompt, introduced by what holds for them together. */
export const projectLayer: Layer = {
  id: 'project',
  stability: 'workspace',
  detail: 'minimal',
  documents: (turn, { agent, notes }) => noteSpecs(agent, turn, notes, 'project'),
  render: (input) => {
    const headings = [input.texts.headingProject]
    const files = input.documents.filter((file) => noteDay(file.path) === undefined)
    const sections = [
      ...fileSections({ documents: files }, headings, (file) => ({ placeholder: placeholderFor(file, input) })),
      ...noteSections(input, headings),
    ]
    if (sections.length === 0 || input.turn.detail !== 'full') return sections
    const precedence = precedenceOf(input)
    const sentences = [input.texts.alreadyLoaded, precedenceSentence(precedence, input), embodiment(input)]
    return [{ headings, text: joinSentences(sentences), precedence, priority: priorities.never }, ...sections]
  },
}

function embodiment({ texts, document }: LayerInput): string {
  const soul = document('SOUL.md')
  return soul?.state === 'present' ? fill(texts.embody, { file: soul.path }) : ''
}
