// What nodeFileSystem promises of writes, tried out with processes that are killed, that compete, and that heed no lock.
// Each gives figures; what must be 0 is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeFileSystem } from 'soulprompt/node'

const worker = fileURLToPath(new URL('./worker.mjs', import.meta.url))
const path = 'MEMORY.md'

async function inFolder(text, use) {
  const root = mkdtempSync(join(tmpdir(), 'soulprompt-reliability-'))
  writeFileSync(join(root, path), text)
  try {
    return await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

function start(task, root, count = 0) {
  const child = spawn(process.execPath, [worker, task, root, `${count}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, exit: once(child, 'exit') }
}

const leftovers = (root) => readdirSync(root).filter((name) => name !== path)

/** A reader looks all the time while writers are killed in the middle of replacing a file of 200 KB. */
export function killedWriters({ kills }) {
  return inFolder('a'.repeat(200_000), async (root) => {
    let [looks, torn] = [0, 0]
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, exit } = start('replace', root)
      const end = performance.now() + 90 + Math.random() * 60
      while (performance.now() < end) {
        const text = readFileSync(join(root, path), 'utf8')
        looks += 1
        if (text.length !== 200_000 || text !== text[0].repeat(200_000)) torn += 1
        await sleep(1)
      }
      child.kill('SIGKILL')
      await exit
    }
    await nodeFileSystem(root).write(path, 'at last')
    return { kills, looks, torn, leftovers: leftovers(root).length }
  })
}

/** Processes that each add lines to one file, by compare-and-set. */
export function competingEditors({ processes, edits }) {
  return inFolder('# Memory\n', async (root) => {
    const began = performance.now()
    const started = Array.from({ length: processes }, () => start('edit', root, edits))
    const codes = await Promise.all(started.map(async ({ exit }) => (await exit)[0]))
    const lines = readFileSync(join(root, path), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- '))
    const lost = processes * edits - new Set(lines).size
    const failed = codes.filter((code) => code !== 0).length
    const ms = Math.round(performance.now() - began)
    return { edits: processes * edits, processes, lost, failed, ms, leftovers: leftovers(root).length }
  })
}

/** Editors are killed, many inside the lock; how long until another process has written? */
export function killedHolders({ kills }) {
  return inFolder('# Memory\n', async (root) => {
    const files = nodeFileSystem(root, { lockTimeout: 60_000 })
    const waits = []
    let lost = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, exit } = start('editForever', root)
      let acknowledged = 0
      child.stdout.on('data', (data) => {
        acknowledged = Number(`${data}`.trim().split('\n').at(-1))
      })
      await once(child.stdout, 'data')
      await sleep(Math.random() * 12)
      child.kill('SIGKILL')
      const killed = performance.now()
      await files.append(path, '')
      waits.push(performance.now() - killed)
      await exit
      const text = readFileSync(join(root, path), 'utf8')
      for (let number = 1; number <= acknowledged; number += 1) {
        if (!text.includes(`- ${child.pid}: ${number}\n`)) lost += 1
      }
      await files.write(path, '# Memory\n')
    }
    // What the last one left goes before the first change of somebody else.
    await nodeFileSystem(root).append(path, '')
    waits.sort((a, b) => a - b)
    const at = (part) => Math.round(waits[Math.min(waits.length - 1, Math.floor(part * waits.length))])
    return { kills, lost, p50: at(0.5), p99: at(0.99), leftovers: leftovers(root).length }
  })
}

/** An editor that knows no lock saves while we edit by compare-and-set all the time. */
export function externalSaves({ saves }) {
  return inFolder('# Memory\n', async (root) => {
    const { exit } = start('save', root, saves)
    const files = nodeFileSystem(root, { durability: 'relaxed' })
    let isOver = false
    void exit.then(() => {
      isOver = true
    })
    let [ours, conflicts] = [0, 0]
    while (!isOver) {
      const [reading] = await files.read([path])
      try {
        await files.write(path, `${reading.text}- ours ${ours}\n`, { ifVersion: reading.version })
        ours += 1
      } catch (error) {
        if (error.code !== 'conflict') throw error
        conflicts += 1
      }
    }
    const text = readFileSync(join(root, path), 'utf8')
    const lost = Array.from({ length: saves }, (_, index) => index + 1).filter((n) => !text.includes(`- saved ${n}\n`))
    return {
      saves,
      ours,
      conflicts,
      lost: lost.length,
      leftovers: leftovers(root).filter((name) => name !== `${path}~`).length,
    }
  })
}
