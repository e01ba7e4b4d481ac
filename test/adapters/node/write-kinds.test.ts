import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { eachWay, fateOf, present, readOne, temporaryWorkspace } from './workspace.js'
import { changesOf, errorOf, treeOf } from './writing.js'

const isRoot = process.getuid?.() === 0

describe.each(eachWay)('%s: what may stand in place of the file', (_, open) => {
  test('a directory, a FIFO, a socket, a device: refused and untouched', async () => {
    const { root, inRoot } = temporaryWorkspace()
    fs.mkdirSync(inRoot('directory'))
    fs.symlinkSync('directory', inRoot('link'))
    fs.symlinkSync('.', inRoot('root'))
    execFileSync('mkfifo', [inRoot('FIFO')])
    if (isRoot) execFileSync('mknod', [inRoot('device'), 'c', '1', '3'])
    const server = createServer().listen(inRoot('socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const before = treeOf(root)
    for (const path of Object.keys(before)) {
      for (const [name, change] of Object.entries(changesOf(open(root), path))) {
        if (name === 'remove' && path in { link: 1, root: 1 }) continue
        const error = await errorOf(change())
        expect(error).toMatchObject({ code: 'io', data: { path } })
        expect(error.message).toContain(path in { link: 1, root: 1 } ? 'directory' : path)
      }
    }
    expect(treeOf(root)).toEqual(before)
  })

  test('a link inside the root: what it leads to is changed; removed is the link', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a/real.md': 'A' })
    fs.symlinkSync('a/real.md', inRoot('link.md'))
    fs.symlinkSync('a', inRoot('b'))
    const files = open(root)
    const { version } = await files.write('link.md', 'B')
    await files.write('link.md', 'C', { ifVersion: version })
    await files.append('link.md', 'D')
    await files.append('b/real.md', 'E')
    await files.write('b/new/c.md', 'F')
    const rest = { a: '(folder)', 'a/new': '(folder)', 'a/new/c.md': 'F', b: '-> a' }
    expect(treeOf(root)).toEqual({ ...rest, 'a/real.md': 'CDE', 'link.md': '-> a/real.md' })
    await files.remove('link.md')
    expect(fateOf(await readOne(files, 'link.md'))).toBe('missing')
    expect(treeOf(root)).toEqual({ ...rest, 'a/real.md': 'CDE' })
    await files.remove('b/real.md')
    expect(treeOf(root)).toEqual(rest)
  })

  test('a link that leads out, nowhere or in a circle: refused, and the link can be removed', async () => {
    const { folder, root, inRoot, beside } = temporaryWorkspace()
    beside('secret.md', 'secret')
    fs.mkdirSync(`${folder}/other`)
    const links = {
      'out.md': ['../secret.md', 'outside-root'],
      'absolute.md': [`${folder}/secret.md`, 'outside-root'],
      'device.md': ['/dev/null', 'outside-root'],
      'nowhere.md': ['none.md', 'io'],
      'nowhere-outside.md': ['../none.md', 'io'],
      'circle.md': ['circle.md', 'io'],
      'folder/a.md': ['../other', 'outside-root'],
      'nowhere-folder/a.md': ['../none', 'io'],
      'circle-folder/a.md': ['circle-folder', 'io'],
    } as const
    for (const [path, [to]] of Object.entries(links)) fs.symlinkSync(to, inRoot(path.split('/')[0] ?? ''))
    const before = treeOf(folder)
    for (const [path, [, code]] of Object.entries(links)) {
      const { remove, ...others } = changesOf(open(root), path)
      for (const change of Object.values(others)) expect([path, (await errorOf(change())).code]).toEqual([path, code])
      if (path.includes('/')) expect((await errorOf(open(root).remove(path))).code).toBe(code)
    }
    expect(treeOf(folder)).toEqual(before)
    for (const path of Object.keys(links)) if (!path.includes('/')) await open(root).remove(path)
    const left = ['nowhere-folder', 'circle-folder', 'folder'].sort()
    expect(Object.keys(treeOf(root)).sort()).toEqual(left)
    expect(treeOf(folder)['secret.md']).toBe('secret')
  })

  test('a file with another name: that one keeps its text; refused on request', async () => {
    const { root, inRoot, beside } = temporaryWorkspace({ 'own.md': 'own' })
    const other = beside('other.md', 'shared')
    const files = open(root)
    const strict = nodeFileSystem(root, { hardLinks: 'reject' })
    for (const change of [
      () => files.write('hard.md', 'changed'),
      () => files.append('hard.md', '!'),
      () => files.remove('hard.md'),
    ]) {
      fs.rmSync(inRoot('hard.md'), { force: true })
      fs.linkSync(other, inRoot('hard.md'))
      for (const strictly of Object.values(changesOf(strict, 'hard.md'))) {
        expect(await errorOf(strictly())).toMatchObject({ code: 'outside-root' })
      }
      expect(fs.statSync(other).nlink).toBe(2)
      await change()
      expect([fs.readFileSync(other, 'utf8'), fs.statSync(other).nlink]).toEqual(['shared', 1])
      if (fs.existsSync(inRoot('hard.md'))) expect(treeOf(root)['hard.md']).toMatch(/^(changed|shared!)$/)
    }
    const created = await strict.write('strict.md', 'fine', { ifVersion: null })
    expect(await present(strict, 'strict.md')).toBe(created)
    expect(Object.keys(treeOf(root)).sort()).toEqual(['own.md', 'strict.md'])
  })

  test('a long file with another name is copied whole', async () => {
    const { root, inRoot, beside } = temporaryWorkspace()
    const text = Array.from({ length: 100_000 }, (_, line) => `line ${line}\n`).join('')
    fs.linkSync(beside('other.md', text), inRoot('hard.md'))
    await open(root).append('hard.md', 'end')
    expect(fs.readFileSync(inRoot('hard.md'), 'utf8')).toBe(`${text}end`)
  })

  test('a folder that is a file, and names that are too long', async () => {
    const { root, inRoot } = temporaryWorkspace({ file: 'text' })
    for (const path of ['file/a.md', 'file/a/b.md', 'x'.repeat(256), `${'x'.repeat(256)}/a.md`]) {
      const { remove, ...others } = changesOf(open(root), path)
      for (const change of Object.values(others)) {
        const error = await errorOf(change())
        expect(error).toMatchObject({ code: 'io' })
        if (path.startsWith('file/')) expect(error.message).toMatch(/: the folder "file" on the way to it is a file\.$/)
      }
    }
    expect(treeOf(root)).toEqual({ file: 'text' })
    for (const path of ['x'.repeat(255), '😀'.repeat(63)]) {
      expect(dirname(inRoot(path))).toBe(root)
      expect((await open(root).write(path, 'long')).text).toBe('long')
    }
  })
})
