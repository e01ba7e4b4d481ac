import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { createNodeFileSystem } from '../../../src/adapters/node/node-file-system.js'
import { isInside } from '../../../src/adapters/node/root.js'
import { PromptError } from '../../../src/errors.js'
import { craftedNames } from './crafted-names.js'
import { eachWay, fateOf, startScript, temporaryWorkspace } from './workspace.js'

const secret = 'canary outside the root'

describe.each(eachWay)('%s: crafted names', (_, open) => {
  test('none leads out of the root, and none throws', async () => {
    const { folder, root, inRoot, beside } = temporaryWorkspace({ 'a/b.md': 'inside' })
    beside('canary.md', secret)
    fs.symlinkSync('../canary.md', inRoot('link'))
    fs.symlinkSync('..', inRoot('folder'))
    const names = craftedNames(folder)
    expect(names.length).toBeGreaterThanOrEqual(500)
    const files = open(root)
    const readings = await files.read(names)
    expect(readings.map(({ path }) => path)).toEqual(names)
    expect(readings.filter(({ state }) => state === 'present')).toEqual([])
    expect(JSON.stringify(readings)).not.toContain(secret)
    for (const name of names) {
      const outcome = await files.list(name).catch((error: unknown) => error)
      if (outcome instanceof PromptError) expect(['outside-root', 'io']).toContain(outcome.code)
      else if (Array.isArray(outcome)) expect(outcome).not.toContain('canary.md')
      else throw outcome
    }
  })
})

describe.each([
  ['sync', (root: string) => nodeFileSystem(root, { io: 'sync' })],
  ['async', (root: string) => nodeFileSystem(root, { io: 'async' })],
  ['sync, confirmed by path', (root: string) => createNodeFileSystem(root, { io: 'sync' }, 'path')],
] as const)('%s: somebody swaps a directory for a link all the time', (_, open) => {
  test('2,000 reads and 500 listings show nothing of what lies outside', async () => {
    const { folder, root, inRoot } = temporaryWorkspace({ 'memory/note.md': 'inside' })
    fs.mkdirSync(`${folder}/outside`)
    fs.writeFileSync(`${folder}/outside/note.md`, secret)
    fs.writeFileSync(`${folder}/outside/canary.md`, secret)
    const child = await startScript(
      `const fs = require('fs'); const [memory, outside] = process.argv.slice(1); let swaps = 0
       const step = () => {
         for (let i = 0; i < 50; i++, swaps++) {
           fs.renameSync(memory, memory + '-aside'); fs.symlinkSync(outside, memory)
           fs.unlinkSync(memory); fs.renameSync(memory + '-aside', memory)
         }
         process.stdout.write(swaps + '\\n'); setImmediate(step)
       }
       step()`,
      inRoot('memory'),
      `${folder}/outside`,
    )
    let swaps = 0
    child.stdout?.on('data', (data: Buffer) => {
      swaps = Number(data.toString().trim().split('\n').at(-1))
    })
    const fates = new Map<string, number>()
    // Two processes race: a busy machine may hold the other one up for longer than all of the reads take.
    const raced = () => (fates.get('inside') ?? 0) > 0 && swaps > 50
    for (let round = 0; round < 2_000 || (!raced() && round < 200_000); round++) {
      // A new one each time: nothing is known from before.
      const files = open(root)
      const [reading] = await files.read(['memory/note.md'])
      if (reading === undefined) throw new Error('no answer')
      const fate = reading.state === 'present' ? reading.text : fateOf(reading)
      fates.set(fate, (fates.get(fate) ?? 0) + 1)
      if (round % 4 > 0) continue
      const names = await files.list('memory').catch(() => [])
      expect(names).not.toContain('canary.md')
      if (round % 200 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(fates.get(secret)).toBeUndefined()
    expect(fates.get('inside')).toBeGreaterThan(0)
    expect(swaps).toBeGreaterThan(50)
  })
})

test.each(eachWay)('%s: hard links are read, or refused on request', async (_, open) => {
  const { root, inRoot, beside } = temporaryWorkspace({ 'a.md': 'A' })
  fs.linkSync(beside('other.md', 'linked'), inRoot('hard.md'))
  expect((await open(root).read(['hard.md'])).map(fateOf)).toEqual(['present'])
  const strict = nodeFileSystem(root, { hardLinks: 'reject' })
  expect((await strict.read(['hard.md', 'a.md'])).map(fateOf)).toEqual(['outside-root', 'present'])
})

test('inside is decided by whole parts', () => {
  expect(isInside('/a/b', '/a/b/c')).toBe(true)
  expect(isInside('/a/b', '/a/b')).toBe(true)
  expect(isInside('/', '/etc')).toBe(true)
  expect(isInside('/a/b', '/a/bc')).toBe(false)
  expect(isInside('/a/b', '/a')).toBe(false)
  expect(isInside('/a/b', '/b/a/b')).toBe(false)
  expect(isInside('/a/b', 'a/b/c')).toBe(false)
  expect(isInside('/a/b', '(unreachable)/a/b/c')).toBe(false)
  expect(isInside('/a/b', 'pipe:[123]')).toBe(false)
})
