// One bot, one workspace, three rooms: what is private to the main session never reaches the others.
import { buildSystemPrompt, defineAgent, presets } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const agent = defineAgent({
  files: nodeFileSystem(new URL('./workspace', import.meta.url)),
  preset: presets.workspace,
  base: 'You are the assistant of a small repair shop.',
  timeZone: 'Europe/Lisbon',
  // In groups people go by their first names alone: there USER.md stays out as well.
  audience: { group: { on: { shown: ['AGENTS.md', 'SOUL.md'] } } },
  injectors: [{ name: 'recall', inject: () => 'Ines leaves in May.' }],
})

/** What an app knows of a room, in the library's words. @type {Record<string, import('soulprompt').Turn['session']>} */
const rooms = {
  'direct message': { id: 'dm', kind: 'main', memory: true },
  'group of four': { id: 'g4', kind: 'group', memory: true },
  'nightly job': { id: 'cron', kind: 'cron', memory: true },
}

const secrets = ['spare key', 'leaves in May', 'blue clock', 'rota']

for (const [room, session] of Object.entries(rooms)) {
  const prompt = await buildSystemPrompt(agent, { session, now: new Date('2026-02-16T18:00:00Z') })
  const shown = prompt.sources.filter(({ state }) => state === 'included').map(({ path }) => path)
  const filtered = prompt.sources.filter(({ state }) => state === 'filtered').map(({ path }) => path)
  const everything = JSON.stringify(prompt)
  console.log(`${room}
  shown:     ${shown.join(', ')}
  not shown: ${filtered.join(', ') || '–'}
  context:   ${prompt.context.map(({ text }) => text).join(' ') || '–'}
  knows of:  ${secrets.filter((secret) => everything.includes(secret)).join(', ') || '–'}
  said:      ${prompt.diagnostics.map(({ message }) => message).join(' ') || '–'}`)
}
