import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSystemPrompt, defineAgent, presets } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const fixtures = new URL('../fixtures/', import.meta.url)
const hashes = {}
for (const entry of readdirSync(fixtures, { withFileTypes: true }).filter((candidate) => candidate.isDirectory())) {
  const folder = new URL(`${entry.name}/`, fixtures)
  const {
    description: _,
    preset,
    session,
    now,
    hints,
    ...options
  } = JSON.parse(readFileSync(new URL('case.json', folder), 'utf8'))
  const files = nodeFileSystem(fileURLToPath(new URL('workspace', folder)))
  const agent = defineAgent({ ...options, files, preset: presets[preset] })
  const prompt = await buildSystemPrompt(agent, { session, now: new Date(now), ...(hints && { hints }) })
  if (prompt.text !== readFileSync(new URL('prompt.md', folder), 'utf8'))
    throw new Error(`${entry.name} differs from its prompt.md`)
  hashes[entry.name] = createHash('sha256').update(prompt.text).digest('hex')
}
console.log(JSON.stringify({ node: process.version, hashes }))
