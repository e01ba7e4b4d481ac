// What of a provider's prompt cache outlives a change. Each change meets the same folder; after it, the prompt of the
// next turn is compared with that of the turn before.
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSystemPrompt, defineAgent, diffPrompts } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const original = fileURLToPath(new URL('../workspace', import.meta.url))
const tools = [
  { name: 'read', description: 'Read a file of the workspace' },
  { name: 'edit', description: 'Replace an exact text in a file of the workspace' },
  { name: 'search', description: 'Search the recordings' },
]
const now = new Date('2026-02-16T18:00:00Z')

/** @typedef {import('soulprompt').Turn} Turn */
/** @type {readonly { what: string, edit?: (folder: string) => Promise<unknown>, turn?: Turn }[]} */
const changes = [
  { what: 'nothing' },
  { what: 'tools registered in another order', turn: { tools: tools.toReversed() } },
  { what: 'a hint', turn: { hints: ['The detector on the barn is offline.'] } },
  { what: 'another day', turn: { now: new Date('2026-02-17T18:00:00Z') } },
  {
    what: 'a line added to MEMORY.md',
    edit: (folder) => appendFile(join(folder, 'MEMORY.md'), '- The barn is sold.\n'),
  },
  {
    what: 'a line put first in MEMORY.md',
    edit: async (folder) => {
      const path = join(folder, 'MEMORY.md')
      await writeFile(path, `- The barn is sold.\n${await readFile(path, 'utf8')}`)
    },
  },
  {
    what: 'a word changed in USER.md',
    edit: async (folder) => {
      const path = join(folder, 'USER.md')
      await writeFile(path, (await readFile(path, 'utf8')).replace('SQLite', 'DuckDB'))
    },
  },
  { what: 'SOUL.md taken away', edit: (folder) => rm(join(folder, 'SOUL.md')) },
  { what: 'a tool more', turn: { tools: [...tools, { name: 'play', description: 'Play a recording' }] } },
]

for (const { what, edit, turn } of changes) {
  const folder = await mkdtemp(join(tmpdir(), 'cache-check-'))
  await cp(original, folder, { recursive: true })
  const agent = defineAgent({ files: nodeFileSystem(folder), tools })
  const before = await buildSystemPrompt(agent, { now })
  await edit?.(folder)
  const after = await buildSystemPrompt(agent, { now, ...turn })
  console.log(`${what}: ${account(diffPrompts(before, after))}`)
  await rm(folder, { recursive: true })
}

/** @param {import('soulprompt').PromptDiff} diff */
function account({ first, hurts, kept, fresh }) {
  if (first === undefined) return `all ${kept.chars} chars are as before`
  const cost = `${fresh.chars} of ${kept.chars + fresh.chars} chars are read anew, about ${fresh.tokens} tokens`
  return [
    hurts ? 'hurts' : 'is expected',
    `  ${first.section} at ${first.offset} (${first.stability}), ${first.why}: ${first.message}`,
    `  ${cost}`,
  ].join('\n')
}
