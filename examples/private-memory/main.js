// The same workspace in three conversations: alone, in a group, and with memory switched off.
import { fileURLToPath } from 'node:url'
import { buildSystemPrompt, defineAgent, resolveMemory } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const workspace = fileURLToPath(new URL('../workspace', import.meta.url))
const agent = defineAgent({ files: nodeFileSystem(workspace), base: 'You take part in conversations.' })
const now = new Date('2026-02-16T18:00:00Z')

/** What a host keeps with each conversation: whether memory was on when it began. */
const conversations = [
  { id: 'alone', kind: /** @type {const} */ ('main'), frozen: undefined },
  { id: 'team', kind: /** @type {const} */ ('group'), frozen: true },
  { id: 'private', kind: /** @type {const} */ ('main'), frozen: false },
]

for (const { id, kind, frozen } of conversations) {
  const memory = resolveMemory({ frozen, default: true })
  const prompt = await buildSystemPrompt(agent, { session: { id, kind, memory }, now })
  const shown = prompt.sources.filter(({ state }) => state === 'included').map(({ path }) => path)
  const hidden = prompt.sources.filter(({ state }) => state === 'filtered').map(({ path }) => path)
  console.log(`${id} (memory ${prompt.memory ? 'on' : 'off'})`)
  console.log(`  shown:  ${shown.join(', ')}`)
  console.log(`  hidden: ${hidden.join(', ')}`)
}
