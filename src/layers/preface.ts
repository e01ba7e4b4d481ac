import type { Layer, LayerInput } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { priorities } from '../workspace/priorities.js'

const ranked = ['AGENTS.md', 'USER.md', 'SOUL.md', 'IDENTITY.md']

/** What the model is told about the workspace files as a whole. It depends on which are there, so it stands with them. */
export const prefaceLayer: Layer = {
  id: 'preface',
  stability: 'workspace',
  render: (input) => {
    if (!input.allDocuments.some((file) => file.state === 'present')) return []
    const precedence = precedenceOf(input)
    const sentences = [input.texts.alreadyLoaded, precedenceSentence(precedence, input)]
    return [
      {
        headings: [input.texts.headingProject],
        text: joinSentences(sentences),
        precedence,
        priority: priorities.never,
      },
    ]
  },
}

/** Who wins, as far as present; empty where there is nothing to rank. */
export function precedenceOf({ agent, texts, allDocuments }: LayerInput): readonly string[] {
  const hasSafety =
    agent.safety !== false && agent.safety.trim() !== '' && agent.layers.some((layer) => layer.id === 'safety')
  const present = ranked.filter((path) => allDocuments.some((file) => file.path === path && file.state === 'present'))
  const order = [...(hasSafety ? [texts.precedenceSafety] : []), ...present]
  return order.length > 1 ? order : []
}

export function precedenceSentence(precedence: readonly string[], { texts }: LayerInput): string {
  return precedence.length === 0 ? '' : fill(texts.precedence, { order: precedence.join(' > ') })
}

export function joinSentences(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join('\n\n')
}
