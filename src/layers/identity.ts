import type { Layer } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { identityFrom } from '../workspace/facts.js'
import { resolveIdentity } from '../workspace/identity.js'
import { priorities } from '../workspace/priorities.js'

/**
 * The identity line. In a prompt without detail it is all there is beside safety; in others it stands only for what
 * the host's options say, as IDENTITY.md speaks for itself there.
 */
export const identityLayer: Layer = {
  id: 'identity',
  stability: 'static',
  detail: 'none',
  documents: ({ detail }) =>
    detail === 'none' ? [{ path: 'IDENTITY.md', layer: 'identity', detail: 'none', optional: true }] : [],
  render: ({ agent, turn, texts, documents }) => {
    const { global, agent: own } = agent.identity
    if (turn.detail === 'none') {
      const file = identityFrom(documents[0])
      const { name } = resolveIdentity({ global, agent: { ...file, ...own } })
      return [{ text: fill(texts.identity, { name }), stability: 'workspace', priority: priorities.never }]
    }
    const { role, goals, voice } = resolveIdentity({ global, agent: own })
    const name = global.name ?? own.name
    const lines = [
      name === undefined ? '' : fill(texts.identity, { name }),
      role === undefined ? '' : fill(texts.identityRole, { value: role }),
      goals === undefined ? '' : fill(texts.identityGoals, { value: goals }),
      voice === undefined ? '' : fill(texts.identityVoice, { value: voice }),
    ].filter((line) => line !== '')
    return lines.length === 0 ? [] : [{ text: lines.join('\n'), priority: priorities.never }]
  },
}
