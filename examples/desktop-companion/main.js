// A companion on the desktop: every conversation has its own memory switch, which stays as it was when the
// conversation began, until the user turns it.
import { buildSystemPrompt, defineAgent, presets, renderUserMessage, resolveMemory } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const agent = defineAgent({
  files: nodeFileSystem(new URL('./workspace', import.meta.url)),
  preset: presets.companion,
  base: 'You live in the corner of the desktop and help with whatever is on the screen.',
  rules: 'At most three sentences, unless asked for more.',
  tools: [
    { name: 'read', description: 'Read a file of the workspace' },
    { name: 'edit', description: 'Replace an exact text in a file of the workspace' },
  ],
  injectors: [
    // Private, as injectors are by default: it is not even called where memory is off.
    { name: 'recall', inject: () => ({ text: 'Yesterday: twenty verbs of motion, nine right.', source: 'diary' }) },
  ],
})

/** What an app keeps of its conversations. @type {Map<string, { explicit?: boolean, frozen?: boolean }>} */
const conversations = new Map()
const settings = { memory: true }

/** @param {string} id @param {string} input */
async function say(id, input) {
  const conversation = conversations.get(id) ?? {}
  const memory = resolveMemory({ ...conversation, default: settings.memory })
  const prompt = await buildSystemPrompt(agent, { session: { id, kind: 'main', memory }, input })
  conversations.set(id, { ...conversation, frozen: prompt.memory })

  console.log(
    `[${id}] memory ${prompt.memory ? 'on' : 'off'}: ${prompt.sections.map((section) => section.id).join(', ')}`,
  )
  console.log(renderUserMessage(prompt, input).replace(/^/gm, '  > '))
}

await say('monday', 'What shall I practise?')

// The user turns memory off for one conversation: nothing of USER.md, MEMORY.md or the diary is looked at.
conversations.set('guest', { explicit: false })
await say('guest', 'My brother is here. What can you do?')

// New conversations start without memory from now on; the one that began with it keeps it.
settings.memory = false
await say('monday', 'And after that?')
await say('tuesday', 'Good morning.')

const session = { id: 'tuesday', kind: /** @type {const} */ ('main'), memory: false }
console.log(`\n${(await buildSystemPrompt(agent, { session })).text.trimEnd()}`)
