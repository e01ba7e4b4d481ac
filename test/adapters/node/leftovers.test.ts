import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sweepLeftovers } from '../../../src/adapters/node/leftovers.js'
import { lockName, temporaryName, tokenFile } from '../../../src/adapters/node/own-names.js'
import { identityLike, inOpenFolder, kill, modulesIn, startHolder, startProcess, withFault } from './locking.js'
import { openDescriptors, temporaryWorkspace } from './workspace.js'
import { treeOf } from './writing.js'

const DAY = 86_400
const lock = (name: string) => lockName(`${name}.md`)

describe.each(['descriptor', 'path'] as const)('confirmed by %s', (confirmation) => {
  const sweep = (root: string) => inOpenFolder(root, confirmation, sweepLeftovers)

  async function workspaceWithLeftovers() {
    const workspace = temporaryWorkspace({ 'a.md': 'kept' })
    const { inRoot, put } = workspace
    const rest = '-0123456789ab'
    const dead = (await identityLike({ pid: 2 ** 30 })) + rest
    const alive = (await identityLike({})) + rest
    const unknown = (await identityLike({ machine: 7 })) + rest
    const age = (path: string, days: number) => {
      const at = Date.now() / 1_000 - days * DAY
      fs.utimesSync(inRoot(path), at, at)
    }
    const ofLock = (name: string, token: string) => put(`${lock(name)}/${tokenFile(token)}`, '')
    return { ...workspace, dead, alive, unknown, age, ofLock }
  }

  test('what dead processes left goes, and what looks like it stays', async () => {
    const { folder, root, inRoot, put, beside, dead, alive, unknown, age, ofLock } = await workspaceWithLeftovers()
    const descriptors = openDescriptors()
    const temporary = (name: string, token: string) => temporaryName(`${name}.md`, token)

    const toGo = () => {
      put(temporary('1', dead), 'half')
      put(`${temporary('2', dead)}/${tokenFile(dead)}`, '')
      fs.mkdirSync(inRoot(temporary('3', dead)))
      fs.mkdirSync(inRoot(lock('4')))
      ofLock('5', dead)
      put(temporary('6', unknown), 'old')
      age(temporary('6', unknown), 1.1)
      ofLock('7', unknown)
      age(`${lock('7')}/${tokenFile(unknown)}`, 1.1)
      put(`${temporary('8', unknown)}/${tokenFile(unknown)}`, '')
      age(`${temporary('8', unknown)}/${tokenFile(unknown)}`, 1.1)
      age(temporary('8', unknown), 1.1)
    }

    // Alive, or young and perhaps alive.
    for (const token of [alive, unknown]) {
      put(temporary('a', token), '')
      put(`${temporary('b', token)}/${tokenFile(token)}`, '')
      fs.mkdirSync(inRoot(temporary('c', token)))
    }
    ofLock('d', alive)
    ofLock('e', unknown)
    put(temporary('f', unknown), '')
    age(temporary('f', unknown), 0.9)
    put(temporary('g', alive), '')
    age(temporary('g', alive), 9)
    // Other names.
    const name = temporary('h', dead)
    for (const other of [
      name.slice(1),
      `${name}.md`,
      `${name}~`,
      name.replace('tmp', 'temp'),
      name.replace('soulprompt', 'other'),
      name.replace('0123', '012'),
      name.replace('0123', 'ABCD'),
      `.${dead}.soulprompt-tmp`,
      '.a.md.1234-0123456789ab.soulprompt-tmp',
      `.a.md.${'9'.repeat(40)}-0123456789ab.soulprompt-tmp`,
      tokenFile(dead),
    ]) {
      put(other, 'kept')
    }
    fs.mkdirSync(inRoot(lock('i').slice(1)))
    fs.mkdirSync(inRoot(lock('i').replace(/[0-9a-f]{4}\.soulprompt/, '.soulprompt')))
    put(lock('j'), 'a file')
    // Links, whatever they lead to.
    const outside = beside('outside.md', 'kept')
    fs.symlinkSync(outside, inRoot(temporary('k', dead)))
    fs.mkdirSync(`${folder}/away`)
    fs.writeFileSync(`${folder}/away/${tokenFile(dead)}`, '')
    fs.symlinkSync(`${folder}/away`, inRoot(temporary('l', dead)))
    fs.symlinkSync(`${folder}/away`, inRoot(lock('l')))
    // Directories that hold something else, or more.
    put(`${temporary('m', dead)}/note.md`, 'kept')
    put(`${temporary('n', dead)}/${tokenFile(dead)}`, '')
    put(`${temporary('n', dead)}/note.md`, 'kept')
    put(`${temporary('o', dead)}/${tokenFile(dead.replace('0123', '4567'))}`, '')
    put(`${lock('p')}/.DS_Store`, 'kept')
    ofLock('q', dead)
    ofLock('q', dead.replace('0123', '4567'))
    fs.mkdirSync(inRoot(`${lock('r')}/${tokenFile(dead)}`), { recursive: true })
    fs.symlinkSync(outside, inRoot(`${lock('r')}x`))
    fs.mkdirSync(inRoot(lock('s')))
    fs.symlinkSync(outside, inRoot(`${lock('s')}/${tokenFile(dead)}`))
    put(`${lock('t')}/v2.soulprompt-token`, '')
    if (process.platform !== 'win32') execFileSync('mkfifo', [inRoot(temporary('u', dead))])
    // Below, for another call.
    put(`below/${temporary('v', dead)}`, 'kept')
    if (process.getuid?.() === 0) {
      put(temporary('w', dead), 'kept')
      fs.mkdirSync(inRoot(lock('x')))
      ofLock('y', dead)
      for (const path of [temporary('w', dead), lock('x'), `${lock('y')}/${tokenFile(dead)}`]) {
        fs.chownSync(inRoot(path), 65_534, 65_534)
      }
    }
    const before = treeOf(root)
    expect(Object.keys(before).length).toBeGreaterThan(45)
    toGo()
    expect(Object.keys(treeOf(root)).length).toBe(Object.keys(before).length + 12)
    await sweep(root)
    expect(treeOf(root)).toEqual(before)
    expect(treeOf(`${folder}/away`)).toEqual({ [tokenFile(dead)]: '' })
    expect(openDescriptors()).toBe(descriptors)
  })

  test('a fault at each call: it never throws, and the next one does the rest', async () => {
    const { root, put, dead, ofLock } = await workspaceWithLeftovers()
    for (let at = 1, isOver = false; !isOver; at++) {
      put(temporaryName('a.md', dead), '')
      put(`${temporaryName('b.md', dead)}/${tokenFile(dead)}`, '')
      ofLock('c', dead)
      await inOpenFolder(root, confirmation, function* (folder) {
        const faulty = withFault(sweepLeftovers(folder), at, 'EIO')
        yield* faulty.work
        isOver = !faulty.hit
      })
      // One fault, one thing that stays.
      if (at > 10) expect(fs.readdirSync(root).length).toBeLessThan(3)
      await sweep(root)
      expect(treeOf(root)).toEqual({ 'a.md': 'kept' })
    }
  })

  test('at most 1,000 at a time', async () => {
    const { root, put, dead } = await workspaceWithLeftovers()
    const random = (number: number) => dead.slice(0, -12) + String(number).padStart(12, '0')
    for (let number = 0; number < 1_500; number++) put(temporaryName('a.md', random(number)), '')
    await sweep(root)
    expect(fs.readdirSync(root)).toHaveLength(501)
    await sweep(root)
    expect(treeOf(root)).toEqual({ 'a.md': 'kept' })
  })
})

test('a process that is killed leaves what is swept, and nothing before it is killed', async () => {
  const { folder, root } = temporaryWorkspace()
  const modules = modulesIn(folder)
  const holder = await startHolder(modules, root)
  const waiter = startProcess("say('waits'); await inLock(function* () {})", modules, root)
  const writing = `
    const fill = function* () { say('writes'); yield* unblock(1e8) }
    await inFolder((folder) => withTemporaryFile(folder, 'b.md', undefined, fill, function* () {}))
  `
  const writer = startProcess(writing, modules, root)
  await Promise.all([waiter, writer].map((child) => once(child.stdout, 'data')))
  while (fs.readdirSync(root).length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  const before = treeOf(root)
  expect(Object.keys(before)).toHaveLength(5)
  await inOpenFolder(root, 'descriptor', sweepLeftovers)
  expect(treeOf(root)).toEqual(before)
  await Promise.all([holder, waiter, writer].map(kill))
  await inOpenFolder(root, 'descriptor', sweepLeftovers)
  expect(treeOf(root)).toEqual({})
})
