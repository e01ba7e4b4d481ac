// One process of a scenario: node worker.mjs TASK ROOT COUNT
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFileSystem } from 'soulprompt/node'

const [task, root, count] = process.argv.slice(2)
const path = 'MEMORY.md'
const files = nodeFileSystem(root, { lockTimeout: 60_000 })

/** Adds a line to what is there, again and again until nobody came in between. */
async function edit(line) {
  for (;;) {
    const [reading] = await files.read([path])
    try {
      return await files.write(path, `${reading.text}${line}\n`, { ifVersion: reading.version })
    } catch (error) {
      if (error.code !== 'conflict') throw error
    }
  }
}

const tasks = {
  /** Replaces the file by a text of one letter, for as long as it lives. */
  async replace() {
    for (let round = 0; ; round += 1) await files.write(path, 'abcdefghij'[round % 10].repeat(200_000))
  },
  async edit() {
    for (let number = 1; number <= Number(count); number += 1) await edit(`- ${process.pid}: ${number}`)
  },
  async editForever() {
    for (let number = 1; ; number += 1) {
      await edit(`- ${process.pid}: ${number}`)
      console.log(number)
    }
  },
  /** An editor that knows no lock: saves into the file and over it by turns, each time with a line of its own. */
  async save() {
    const place = join(root, path)
    for (let number = 1; number <= Number(count); number += 1) {
      const text = `${readFileSync(place, 'utf8')}- saved ${number}\n`
      if (number % 2 === 0) writeFileSync(place, text)
      else {
        writeFileSync(`${place}~`, text)
        renameSync(`${place}~`, place)
      }
      await sleep(6)
    }
  },
}

await tasks[task]()
