// One turn of an agent: the prompt, the user's message with its context, and the account of what went in.
import { fileURLToPath } from 'node:url'
import { buildSystemPrompt, defineAgent, renderUserMessage } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const workspace = fileURLToPath(new URL('../workspace', import.meta.url))

const agent = defineAgent({
  files: nodeFileSystem(workspace),
  base: 'You answer in the terminal of the person you serve.',
  tools: [
    { name: 'read', description: 'Read a file of the workspace' },
    { name: 'edit', description: 'Replace an exact text in a file of the workspace' },
  ],
  injectors: [{ name: 'recall', inject: ({ today }) => `Nothing else is known about ${today?.iso}.` }],
})

const input = 'What should I look at first tonight?'
const prompt = await buildSystemPrompt(agent, {
  session: { id: 'terminal', kind: 'main', memory: true },
  now: new Date('2026-02-16T18:00:00Z'),
  input,
})

console.log(`${prompt.sections.length} sections`)
for (const { id, stability } of prompt.sections) console.log(`  ${stability.padEnd(9)} ${id}`)
console.log(prompt.sources.map(({ path, state }) => `${path}: ${state}`).join('\n'))
console.log(`\n${renderUserMessage(prompt, input)}`)
