import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { createNodeFileSystem, type NodeFileSystem } from '../../../src/adapters/node/node-file-system.js'
import { PromptError } from '../../../src/errors.js'
import { craftedNames } from './crafted-names.js'
import { eachWay, startScript, temporaryWorkspace } from './workspace.js'
import { beforeFirst, changesOf, errorOf, treeOf } from './writing.js'

describe.each(eachWay)('%s: crafted names', (_, open) => {
  test('none changes anything outside of the root, and every error is typed', async () => {
    const { folder, root, inRoot, beside } = temporaryWorkspace({ 'a/b.md': 'inside' })
    beside('canary.md', 'untouched')
    fs.symlinkSync('../canary.md', inRoot('link'))
    fs.symlinkSync('..', inRoot('folder'))
    const names = craftedNames(folder)
    const files = open(root)
    for (const name of names) {
      for (const change of ['write', 'create', 'append'] as const) {
        const error = await changesOf(files, name)
          [change]?.()
          .catch((error: unknown) => error)
        if (!(error instanceof Error)) continue
        if (!(error instanceof PromptError)) throw error
        expect(['outside-root', 'io', 'conflict']).toContain(error.code)
      }
    }
    for (const name of names) await files.remove(name).catch((error) => expect(error).toBeInstanceOf(PromptError))
    const outside = Object.entries(treeOf(folder)).filter(([name]) => name !== 'root' && !name.startsWith('root/'))
    expect(outside).toEqual([['canary.md', 'untouched']])
  })

  test('names that are no strings are refused', async () => {
    const { root } = temporaryWorkspace()
    for (const name of [7, null, undefined, {}, ['a.md']]) {
      for (const change of Object.values(changesOf(open(root), name as string))) {
        expect(await errorOf(change())).toMatchObject({ code: 'outside-root' })
      }
    }
    expect(treeOf(root)).toEqual({})
  })
})

describe.each(eachWay)('%s: a folder that is swapped while a file is written', (way, open) => {
  const swaps: Readonly<Record<string, (memory: string, outside: string) => void>> = {
    'for a link that leads out': (memory, outside) => {
      fs.renameSync(memory, `${memory}-aside`)
      fs.symlinkSync(outside, memory)
    },
    'for nothing, itself moved out': (memory, outside) => fs.renameSync(memory, `${outside}/moved`),
  }
  const moments = [['fsync'], ['link', 'linkSync', 'rename', 'renameSync'], ['write']]
  test.each(Object.entries(swaps))('%s: nothing lands outside', async (_, swap) => {
    for (const moment of moments) {
      for (const change of ['write', 'create', 'append', 'appendNew'] as const) {
        const { folder, root, inRoot } = temporaryWorkspace({ 'memory/note.md': 'inside' })
        fs.mkdirSync(`${folder}/outside`)
        fs.writeFileSync(`${folder}/outside/note.md`, 'untouched')
        const files = open(root)
        const changes = { ...changesOf(files, 'memory/note.md') }
        changes.create = () => files.write('memory/new.md', 'changed', { ifVersion: null })
        changes.appendNew = () => files.append('memory/new.md', 'changed')
        beforeFirst(moment, () => swap(inRoot('memory'), `${folder}/outside`))
        let isDone = false
        await changes[change]?.().then(
          () => {
            isDone = true
          },
          (error: unknown) => expect(error).toBeInstanceOf(PromptError),
        )
        const tree = treeOf(folder)
        expect(tree['outside/note.md']).toBe('untouched')
        expect(tree['outside/new.md']).toBeUndefined()
        const found = Object.keys(tree).filter((name) => name.endsWith('-tmp'))
        // By path, a folder that was moved away cannot be found again to tidy up in it.
        if (!way.endsWith('by path')) expect(found).toEqual([])
        // What was done was done in the root, if need be once more.
        const path = change === 'write' || change === 'append' ? 'note.md' : 'new.md'
        const inside = [tree[`root/memory/${path}`], tree[`root/memory-aside/${path}`]]
        if (isDone) expect(inside.some((text) => text?.endsWith('changed'))).toBe(true)
        // Where there was time to see that the folder was moved out, what it holds is no longer touched.
        if (change === 'write' && moment[0] === 'fsync')
          expect(tree['outside/moved/note.md'] ?? 'inside').toBe('inside')
      }
    }
  })

  test.each(Object.entries(swaps))('%s: nothing is removed outside', async (_, swap) => {
    const { folder, root, inRoot } = temporaryWorkspace({ 'memory/note.md': 'inside' })
    fs.mkdirSync(`${folder}/outside`)
    fs.writeFileSync(`${folder}/outside/note.md`, 'untouched')
    // The last thing before the removal is to close the file that was looked at.
    beforeFirst(['close'], () => swap(inRoot('memory'), `${folder}/outside`))
    await open(root)
      .remove('memory/note.md')
      .catch((error: unknown) => expect(error).toBeInstanceOf(PromptError))
    const tree = treeOf(`${folder}/outside`)
    expect(tree['note.md']).toBe('untouched')
    if ('moved' in tree) expect(tree['moved/note.md']).toBe('inside')
  })
})

const attacker = `
  const fs = require('fs'); const [memory, outside] = process.argv.slice(1); let swaps = 0
  // A folder may have been created where there was none for a moment.
  const clear = () => { for (;;) try { return fs.rmSync(memory, { recursive: true, force: true }) } catch {} }
  const insist = (act) => { for (;;) try { return act() } catch { clear() } }
  const step = () => {
    for (let i = 0; i < 50; i++, swaps++) {
      fs.renameSync(memory, memory + '-aside'); insist(() => fs.symlinkSync(outside, memory))
      fs.unlinkSync(memory); insist(() => fs.renameSync(memory + '-aside', memory))
    }
    // A breath, in which a change may succeed.
    process.stdout.write(swaps + '\\n'); setTimeout(step, 40)
  }
  step()
`

describe.each([
  ['by descriptor', (root: string) => nodeFileSystem(root), ['write', 'create', 'append', 'remove']],
  ['by path', (root: string) => createNodeFileSystem(root, {}, 'path'), ['write', 'append']],
] as const)('%s: somebody swaps a directory for a link all the time', (way, open, changes) => {
  test.skipIf(way === 'by descriptor' && process.platform !== 'linux')(
    'nothing outside is changed',
    async () => {
      const { folder, root, inRoot } = temporaryWorkspace({ 'memory/note.md': 'inside' })
      fs.mkdirSync(`${folder}/outside`)
      fs.writeFileSync(`${folder}/outside/note.md`, 'untouched')
      fs.writeFileSync(`${folder}/outside/canary.md`, 'untouched')
      const child = await startScript(attacker, inRoot('memory'), `${folder}/outside`)
      let swaps = 0
      child.stdout?.on('data', (data: Buffer) => {
        swaps = Number(data.toString().trim().split('\n').at(-1))
      })
      const fates = new Map<string, number>()
      const attempt = async (files: NodeFileSystem, name: (typeof changes)[number]) => {
        const path = name === 'create' ? 'memory/new.md' : 'memory/note.md'
        const outcome = await changesOf(files, path)
          [name]?.()
          .then(
            () => 'done',
            (error: unknown) => (error instanceof PromptError ? error.code : String(error)),
          )
        const fate = `${name} ${outcome}`
        fates.set(fate, (fates.get(fate) ?? 0) + 1)
      }
      const raced = () => swaps > 50 && changes.every((name) => (fates.get(`${name} done`) ?? 0) > 0)
      // On a busy machine the attacker may get its turn late.
      const end = Date.now() + 60_000
      for (let round = 0; round < 80 || (!raced() && Date.now() < end); round++) {
        for (const name of changes) await attempt(open(root), name)
      }
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(treeOf(`${folder}/outside`)).toEqual({ 'note.md': 'untouched', 'canary.md': 'untouched' })
      expect(raced()).toBe(true)
      expect([...fates.keys()].filter((fate) => !/ (done|io|outside-root|conflict)$/.test(fate))).toEqual([])
    },
    120_000,
  )
})
