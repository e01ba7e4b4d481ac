import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import type { NodeFileSystem } from '../../../src/adapters/node/node-file-system.js'
import { eachWay, fateOf, later, present, readOne, startScript, temporaryWorkspace } from './workspace.js'

const past = new Date('2020-02-02T02:02:02Z')

/** Four ways of giving a file another content of the same size. */
const edits: Readonly<Record<string, (path: string, text: string) => void>> = {
  'in place': (path, text) => fs.writeFileSync(path, text),
  'by renaming': (path, text) => {
    fs.writeFileSync(`${path}.tmp`, text)
    fs.renameSync(`${path}.tmp`, path)
  },
  'in place, times restored': (path, text) => {
    fs.writeFileSync(path, text)
    fs.utimesSync(path, past, past)
  },
  'by renaming, times restored': (path, text) => {
    fs.writeFileSync(`${path}.tmp`, text)
    fs.utimesSync(`${path}.tmp`, past, past)
    fs.renameSync(`${path}.tmp`, path)
  },
}

async function missedOf(
  files: NodeFileSystem,
  path: string,
  edit: (path: string, text: string) => void,
  count: number,
) {
  let missed = 0
  for (let round = 0; round < count; round++) {
    const text = `edit ${String(round).padStart(6, '0')}`
    edit(path, text)
    if ((await present(files, 'a.md')).text !== text) missed++
  }
  return missed
}

describe.each([
  ['sync', 'sync'],
  ['async', 'async'],
] as const)('%s: 3,000 edits of the same size', (_, io) => {
  test.each(Object.entries(edits))('%s: all seen', async (_, edit) => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'start 000000' })
    const files = nodeFileSystem(root, { io })
    expect(await missedOf(files, inRoot('a.md'), edit, 750)).toBe(0)
  })
})

test.each(Object.entries(edits))('%s: all seen on a disk whose clock counts seconds', async (_, edit) => {
  const { root, inRoot } = temporaryWorkspace({ 'a.md': 'start 000000' })
  for (const name of ['lstatSync', 'fstatSync'] as const) coarse(name)
  expect(await missedOf(nodeFileSystem(root, { io: 'sync' }), inRoot('a.md'), edit, 500)).toBe(0)
})

/** One inode for all and whole seconds: the key says nothing, as on old disks that use inode numbers again. */
function coarse(name: 'lstatSync' | 'fstatSync') {
  const original: unknown = fs[name]
  Reflect.set(fs, name, (...args: unknown[]) => {
    const stat = Reflect.apply(original as (...args: unknown[]) => fs.BigIntStats, fs, args)
    const second = (time: bigint) => time - (time % 1_000_000_000n)
    return Object.assign(stat, { ino: 1n, mtimeNs: second(stat.mtimeNs), ctimeNs: second(stat.ctimeNs) })
  })
  onTestFinished(() => void Reflect.set(fs, name, original))
}

describe.each(eachWay)('%s: what happens between and during reads', (name, open) => {
  test('a file with a time in the future is never trusted', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'one' })
    const future = new Date(Date.now() + 1e9)
    fs.utimesSync(inRoot('a.md'), future, future)
    later()
    const files = open(root)
    const before = await present(files, 'a.md')
    expect(await present(files, 'a.md')).toBe(before)
    fs.writeFileSync(inRoot('a.md'), 'two')
    fs.utimesSync(inRoot('a.md'), future, future)
    expect((await present(files, 'a.md')).text).toBe('two')
  })

  test('a file appears, disappears and appears again', async () => {
    const { root, inRoot, put } = temporaryWorkspace()
    const files = open(root)
    for (const text of ['one', 'two']) {
      expect(fateOf(await readOne(files, 'a.md'))).toBe('missing')
      put('a.md', text)
      expect((await present(files, 'a.md')).text).toBe(text)
      fs.rmSync(inRoot('a.md'))
    }
    fs.mkdirSync(inRoot('a.md'))
    expect(fateOf(await readOne(files, 'a.md'))).toBe('not-a-file')
  })

  test('a link turns to another file, and its target changes', async () => {
    const { root, inRoot, put } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B' })
    fs.symlinkSync('a.md', inRoot('link.md'))
    const files = open(root)
    expect((await present(files, 'link.md')).text).toBe('A')
    put('a.md', 'C')
    expect((await present(files, 'link.md')).text).toBe('C')
    fs.rmSync(inRoot('link.md'))
    fs.symlinkSync('b.md', inRoot('link.md'))
    expect((await present(files, 'link.md')).text).toBe('B')
    later()
    const settled = await present(files, 'link.md')
    expect(await present(files, 'link.md')).toBe(settled)
    fs.rmSync(inRoot('b.md'))
    expect(fateOf(await readOne(files, 'link.md'))).toBe('missing')
    put('b.md', 'D')
    expect((await present(files, 'link.md')).text).toBe('D')
    fs.rmSync(inRoot('link.md'))
    fs.symlinkSync('/etc/passwd', inRoot('link.md'))
    expect(fateOf(await readOne(files, 'link.md'))).toBe('outside-root')
  })

  test('a root that is not there yet, then is, then is another one', async () => {
    const { folder, root, put } = temporaryWorkspace()
    fs.rmdirSync(root)
    const files = open(root)
    expect(await files.read(['a.md', 'b/c.md'])).toEqual([
      { state: 'missing', path: 'a.md' },
      { state: 'missing', path: 'b/c.md' },
    ])
    expect(await files.list('')).toEqual([])
    expect(await files.list('b')).toEqual([])
    put('a.md', 'one')
    put('b/c.md', 'deep')
    expect((await present(files, 'a.md')).text).toBe('one')
    expect(await files.list('b')).toEqual(['c.md'])
    fs.renameSync(root, `${folder}/old`)
    expect(fateOf(await readOne(files, 'a.md'))).toBe('missing')
    put('a.md', 'two')
    expect((await present(files, 'a.md')).text).toBe('two')
    expect(await files.list('b')).toEqual([])
    expect((await files.list('')).slice()).toEqual(['a.md'])
  })

  test('a root that is a link is followed to where it leads now', async () => {
    const { folder, root, put } = temporaryWorkspace({ 'a.md': 'one' })
    fs.symlinkSync('root', `${folder}/current`)
    const files = open(`${folder}/current`)
    expect((await present(files, 'a.md')).text).toBe('one')
    expect(await files.list('')).toEqual(['a.md'])
    fs.mkdirSync(`${folder}/next`)
    fs.writeFileSync(`${folder}/next/b.md`, 'two')
    fs.rmSync(`${folder}/current`)
    fs.symlinkSync('next', `${folder}/current`)
    expect((await files.read(['a.md', 'b.md'])).map(fateOf)).toEqual(['missing', 'present'])
    expect(await files.list('')).toEqual(['b.md'])
    // The same folder, elsewhere.
    fs.renameSync(`${folder}/next`, `${folder}/moved`)
    fs.rmSync(`${folder}/current`)
    fs.symlinkSync('moved', `${folder}/current`)
    fs.writeFileSync(`${folder}/moved/b.md`, 'three')
    expect((await present(files, 'b.md')).text).toBe('three')
    put('a.md', 'unrelated')
    expect(fateOf(await readOne(files, 'a.md'))).toBe('missing')
    expect(root).toBeTruthy()
  })

  test('a root that is a file says so', async () => {
    const { inRoot } = temporaryWorkspace({ file: 'x' })
    const files = open(inRoot('file'))
    const detail = expect.stringContaining('root of the workspace is a file')
    expect(await files.read(['a.md', 'b/c.md'])).toMatchObject([
      { path: 'a.md', reason: 'io', detail },
      { path: 'b/c.md', reason: 'io', detail },
    ])
  })

  test('a file that grows all the time is read in bounded time, and is right once it stands still', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'x' })
    const child = await startScript(
      `const fs = require('fs'); let sent = false
       const step = () => {
         for (let i = 0; i < 20; i++) fs.appendFileSync(process.argv[1], 'x'.repeat(16))
         if (!sent) process.stdout.write('started'), (sent = true)
         setImmediate(step)
       }
       step()`,
      inRoot('a.md'),
    )
    const files = open(root)
    let length = 0
    for (let round = 0; round < 30; round++) {
      const snapshot = await present(files, 'a.md')
      expect(snapshot.length).toBeGreaterThanOrEqual(length)
      expect(/^x*$/.test(snapshot.text)).toBe(true)
      length = snapshot.length
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect((await present(files, 'a.md')).length).toBe(fs.statSync(inRoot('a.md')).size)
  })

  test('a file that changes during every read is read four times, taken, and not trusted', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'x' })
    later()
    const files = open(root)
    const method = name.startsWith('sync') || name === 'auto' ? 'readSync' : 'read'
    const original: unknown = fs[method]
    let changes = 0
    Reflect.set(fs, method, (...args: unknown[]) => {
      if (args[4] === 0) fs.appendFileSync(inRoot('a.md'), String(changes++))
      return Reflect.apply(original as (...args: unknown[]) => unknown, fs, args)
    })
    onTestFinished(() => void Reflect.set(fs, method, original))
    const taken = await present(files, 'a.md')
    expect(changes).toBe(4)
    expect(taken.text).toBe('x0123')
    Reflect.set(fs, method, original)
    fs.appendFileSync(inRoot('a.md'), '!')
    expect((await present(files, 'a.md')).text).toBe('x0123!')
  })

  test('a file that was emptied this instant gets a moment to be written', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'before' })
    const files = open(root)
    await present(files, 'a.md')
    fs.writeFileSync(inRoot('a.md'), '')
    const reading = present(files, 'a.md')
    fs.writeFileSync(inRoot('a.md'), 'after')
    expect((await reading).text).toBe('after')
    fs.writeFileSync(inRoot('a.md'), '')
    expect((await present(files, 'a.md')).text).toBe('')
  })
})

test('a stalled disk does not hold up an abort', async () => {
  const { root } = temporaryWorkspace({ 'a.md': 'A' })
  const files = nodeFileSystem(root, { io: 'async' })
  const lstat = vi.spyOn(fs.promises, 'lstat').mockImplementation(() => new Promise(() => {}))
  onTestFinished(() => lstat.mockRestore())
  const controller = new AbortController()
  const reading = files.read(['a.md'], { signal: controller.signal })
  const listing = files.list('', { signal: controller.signal })
  controller.abort(new Error('too slow'))
  await expect(reading).rejects.toThrow('too slow')
  await expect(listing).rejects.toThrow('too slow')
  await expect(files.read(['a.md'], { signal: controller.signal })).rejects.toThrow('too slow')
  lstat.mockRestore()
  expect((await present(files, 'a.md')).text).toBe('A')
})
