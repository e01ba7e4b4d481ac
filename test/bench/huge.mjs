// What a turn costs over nine files of 1 GiB: with holes, read by the ends, and one filled with text that is counted.
// Times of one run and what the process held at its peak; no test looks at them.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSystemPrompt, defineAgent } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const GiB = 2 ** 30
const now = new Date('2026-02-16T09:30:00Z')
const slots = [
  'AGENTS.md',
  'SOUL.md',
  'IDENTITY.md',
  'USER.md',
  'MEMORY.md',
  'TOOLS.md',
  'HEARTBEAT.md',
  'memory/2026-02-15.md',
  'memory/2026-02-16.md',
]
const text = Buffer.from('The heron stands in the shallows; 苍鹭站在浅水里。😀\n'.repeat(16_384))

const root = mkdtempSync(join(tmpdir(), 'soulprompt-huge-'))
process.on('exit', () => rmSync(root, { recursive: true }))

function workspace(name, paths, write) {
  const folder = join(root, name)
  mkdirSync(join(folder, 'memory'), { recursive: true })
  for (const path of paths) {
    const file = openSync(join(folder, path), 'w')
    write(file)
    closeSync(file)
  }
  return folder
}

const holes = workspace('holes', slots, (file) => {
  writeSync(file, text, 0, text.length, 0)
  writeSync(file, text, 0, text.length, GiB - text.length)
})
const filled = workspace('filled', ['MEMORY.md'], (file) => {
  for (let at = 0; at < GiB; at += text.length) writeSync(file, text, 0, Math.min(text.length, GiB - at), at)
})
// An entry is trusted once its file is two seconds old.
await sleep(2_200)

async function measure(name, agent) {
  const before = process.memoryUsage.rss()
  const start = performance.now()
  const prompt = await buildSystemPrompt(agent, { now, session: { kind: 'heartbeat' } })
  const time = performance.now() - start
  const taken = Math.max(0, process.resourceUsage().maxRSS * 1_024 - before) / 2 ** 20
  console.log(`${name.padEnd(46)} ${time.toFixed(1).padStart(9)} ms ${taken.toFixed(0).padStart(5)} MiB`)
  return prompt
}

for (const io of ['sync', 'async']) {
  const agent = defineAgent({ files: nodeFileSystem(holes, { io }) })
  await measure(`nine files of 1 GiB, first turn, ${io}`, agent)
  await measure(`nine files of 1 GiB, warm turn, ${io}`, agent)
}

const files = nodeFileSystem(filled, { countAll: { within: 60_000 } })
await measure('1 GiB of text, counted', defineAgent({ files, deadlines: { files: 60_000 } }))
await measure('1 GiB of text, known', defineAgent({ files, deadlines: { files: 60_000 } }))

const agent = defineAgent({ files: nodeFileSystem(filled, { countAll: true }) })
for (let turn = 1; ; turn += 1) {
  const { text } = await measure(`1 GiB of text, within 800 ms, turn ${turn}`, agent)
  if (!text.includes(' of about ')) break
}
