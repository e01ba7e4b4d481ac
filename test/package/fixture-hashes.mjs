import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCase } from '../fixture-case.js'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const hashes = {}
for (const entry of readdirSync(fixtures, { withFileTypes: true }).filter((candidate) => candidate.isDirectory())) {
  const folder = join(fixtures, entry.name)
  const prompt = await buildCase(folder)
  if (prompt.text !== readFileSync(join(folder, 'prompt.md'), 'utf8'))
    throw new Error(`${entry.name} differs from its prompt.md`)
  hashes[entry.name] = createHash('sha256').update(prompt.text).digest('hex')
}
console.log(JSON.stringify({ node: process.version, hashes }))
