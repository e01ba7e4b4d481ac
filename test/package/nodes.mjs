// The same bytes on every supported Node: builds each fixture with the built package under each version and compares.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./fixture-hashes.mjs', import.meta.url))
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
