// What a turn costs over a nine-file workspace of 41 KB. Medians of one run; the ratios matter, not the microseconds.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSystemPrompt, defineAgent } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

const now = new Date('2026-02-16T09:30:00Z')
const sizes = {
  'AGENTS.md': 12_000,
  'SOUL.md': 3_000,
  'IDENTITY.md': 700,
  'USER.md': 1_500,
  'TOOLS.md': 2_500,
  'MEMORY.md': 14_000,
  'HEARTBEAT.md': 1_300,
  'memory/2026-02-15.md': 3_000,
  'memory/2026-02-16.md': 3_000,
}
const sentence = 'The heron stands in the shallows until the light is gone, and counts what passes. '
/** A main session asks for these as well; they are not there. */
const absent = ['memory.md', 'BOOTSTRAP.md']

const folder = mkdtempSync(join(tmpdir(), 'soulprompt-bench-'))
mkdirSync(join(folder, 'memory'))
for (const [path, size] of Object.entries(sizes)) write(path, size, 0)
// An entry is trusted once its file is two seconds old.
await sleep(2_200)

const shown = Object.keys(sizes).filter((path) => path !== 'HEARTBEAT.md')
const asked = [...shown, ...absent].map((path) => join(folder, path))
const paths = shown.map((path) => join(folder, path))
const big = { bigint: true, throwIfNoEntry: false }

function agentFor(io) {
  return defineAgent({ files: nodeFileSystem(folder, { io }), base: 'You are a careful assistant.' })
}

function write(path, size, version) {
  const line = `- ${version} ${sentence}\n`
  writeFileSync(join(folder, path), line.repeat(Math.ceil(size / line.length)).slice(0, size))
}

async function median(runs, work, before = () => {}) {
  const times = []
  for (let run = 0; run < runs; run += 1) {
    await before(run)
    const start = process.hrtime.bigint()
    await work(run)
    times.push(Number(process.hrtime.bigint() - start) / 1_000)
  }
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)]
}

const rows = []
async function measure(name, runs, work, before) {
  await median(runs, work, before)
  const time = await median(runs, work, before)
  rows.push([name, time])
  return time
}

function bareSync(lists) {
  for (const path of asked) lstatSync(path, big)
  const memory = join(folder, 'memory')
  return lists ? readdirSync(memory) : statSync(memory, big)
}

async function bareAsync(lists) {
  const memory = join(folder, 'memory')
  await (lists ? readdir(memory) : stat(memory, { bigint: true }))
  await Promise.all(asked.map((path) => lstat(path, { bigint: true }).catch(() => undefined)))
}

const report = (agent) => buildSystemPrompt(agent, { now })

for (const io of ['sync', 'async']) {
  const agent = agentFor(io)
  await report(agent)
  // What a turn asks of the disk: a stat for each file, and the names in memory/. The listing is kept while a stat of
  // the folder says that nothing changed, so both baselines are given.
  const bare = io === 'sync' ? bareSync : bareAsync
  const stats = await measure(`bare stats, ${io}`, 10_000, () => bare(false))
  const listing = await measure(`bare stats and directory read, ${io}`, 10_000, () => bare(true))
  const warm = await measure(`warm turn, ${io}`, 10_000, () => report(agent))
  rows.push([`  ratio to bare stats, ${io}`, warm / stats])
  rows.push([`  ratio to bare stats and directory read, ${io}`, warm / listing])
  await measure(
    `edit turn (MEMORY.md), ${io}`,
    500,
    () => report(agent),
    (run) => write('MEMORY.md', 14_000, run),
  )
  await sleep(2_200)
  await measure(`cold turn (new agent), ${io}`, 300, () => report(agentFor(io)))
}
await measure('Promise.all(readFile) + join', 1_000, async () =>
  (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n\n'),
)

for (let index = 0; index < 10_000; index += 1) writeFileSync(join(folder, `unrelated-${index}.md`), 'x')
await sleep(2_200)
for (const io of ['sync', 'async']) {
  const agent = agentFor(io)
  await report(agent)
  await measure(`warm turn among 10,000 other files, ${io}`, 10_000, () => report(agent))
}
rmSync(folder, { recursive: true })

for (const [name, value] of rows) {
  const isRatio = name.includes('ratio')
  console.log(`${name.padEnd(46)} ${value.toFixed(isRatio ? 2 : 1).padStart(9)}${isRatio ? ' ×' : ' µs'}`)
}
