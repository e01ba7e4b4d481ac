// A coding agent: one file says it all, the turn adds its tools and what has happened since. What changes stands last,
// so that the provider's cache keeps the rest.
import { buildSystemPrompt, defineAgent, presets } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const agent = defineAgent({
  files: nodeFileSystem(new URL('./workspace', import.meta.url)),
  preset: presets.segments,
  tools: [
    {
      name: 'shell',
      description: 'Run one command in the sandbox.',
      usageHint: 'Put what takes over a minute in the background.',
    },
    { name: 'read', description: 'Read the contents of a file.' },
    { name: 'edit', description: 'Find and replace an exact piece of text.' },
    { name: 'grep', description: 'Search the code by regular expression.', usageHint: 'Search before you open files.' },
    { name: 'web_fetch', description: 'Fetch the text of a web page.' },
  ],
})

/** What the app noticed while it ran, newest last. @type {string[]} */
const hints = []
/** @type {import('soulprompt').SystemPrompt | undefined} */
let last

/** @param {string} what */
async function turn(what) {
  const prompt = await buildSystemPrompt(agent, { session: { id: 'fix-41' }, hints })
  let same = 0
  while (last !== undefined && same < last.chars && last.text[same] === prompt.text[same]) same += 1
  const changes = prompt.sections.map(({ id, fingerprint }) => {
    const before = last?.sections.find((section) => section.id === id)
    const change = before === undefined ? 'new' : before.fingerprint === fingerprint ? 'unchanged' : 'changed'
    return `${id} (${change})`
  })
  console.log(`${what}: ${prompt.chars} chars, the first ${same} as before\n  ${changes.join(', ')}`)
  last = prompt
  return prompt
}

await turn('first turn')
await turn('second turn')

hints.push('The tool web_fetch is not available at the moment (network); please do without it.')
await turn('a tool failed')

hints.push('Summary of the conversation so far: the failing test is `parse.test.ts`, line 41, empty input.')
const { text } = await turn('the conversation was condensed')

console.log(`\n${text.trimEnd()}`)
