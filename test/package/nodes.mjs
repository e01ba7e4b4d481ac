// The same bytes on every supported Node: builds each fixture with the built package under each version and compares.
// Then sends each provider's form of a prompt through that provider's own SDK, some of which need a newer Node than 20.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./fixture-hashes.mjs', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const versions = ['20', '22', '24']

const results = versions.map((version) => {
  const output = execFileSync('npx', ['-y', `node@${version}`, script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { node, hashes } = JSON.parse(output)
  console.log(`${node}: ${Object.keys(hashes).length} prompts`)
  return { node, hashes: JSON.stringify(hashes) }
})
const different = results.filter(({ hashes }) => hashes !== results[0]?.hashes)
if (different.length > 0) {
  console.error(`The prompts differ from ${results[0]?.node} on ${different.map(({ node }) => node).join(', ')}`)
  process.exit(1)
}
console.log('The same bytes on each.')

for (const version of versions) {
  const test = ['node_modules/vitest/vitest.mjs', 'run', 'test/render/providers/wire.test.ts']
  execFileSync('npx', ['-y', `node@${version}`, ...test], { cwd: root, stdio: 'inherit' })
}
