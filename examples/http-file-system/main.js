// A workspace on a server: how many requests a turn makes, what is sent again, and what happens when the server is down.
import { buildSystemPrompt, defineAgent, memoryFileSystem } from 'soulprompt'
import { httpFileSystem } from './http-file-system.js'
import { serveWorkspace } from './serve-workspace.js'

const workspace = memoryFileSystem({
  'SOUL.md': 'You are calm and dry.',
  'USER.md': 'Her name is Ines.',
  'memory/2026-02-16.md': 'The blue clock was wound.',
  'memory/2026-02-16-rota.md': 'Bo asked for the rota.',
})
/** @type {string[]} */
const requests = []
const server = await serveWorkspace(workspace, (endpoint, texts) => {
  requests.push(endpoint === '/read' ? `${endpoint} (texts sent: ${texts})` : endpoint)
})
const agent = defineAgent({ files: httpFileSystem(server.url, { name: 'workspace server' }) })
const listing = defineAgent({ files: httpFileSystem(server.url, { listing: true }) })

/** @param {string} what */
async function build(what, of = agent) {
  const prompt = await buildSystemPrompt(of, { now: new Date('2026-02-16T18:00:00Z') })
  const shown = prompt.sources.filter(({ state }) => state === 'included').map(({ path }) => path)
  console.log(
    `${what}\n  requests: ${requests.splice(0).join(', ') || 'none'}\n  shown:    ${shown.join(', ') || 'none'}`,
  )
  return prompt
}

const first = await build('first turn')
const second = await build('nothing has changed')
console.log(`  the same prompt: ${second === first}`)

await workspace.write('SOUL.md', 'You are calm and warm.')
const third = await build('SOUL.md was edited')
console.log(`  the change shows: ${third.text.includes('calm and warm')}`)

// Notes with a topic in their name are found by listing their folder, which is a request of its own.
await build('with the listing of notes', listing)

await server.close()
const last = await build('the server is down')
for (const { code, message } of last.diagnostics) console.log(`  ${code}: ${message}`)
console.log(`  a prompt all the same: ${last.text.startsWith('# Safety')}`)
