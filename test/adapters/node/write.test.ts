import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { eachWay, fateOf, later, openDescriptors, present, temporaryWorkspace } from './workspace.js'
import { beforeFirst, changesOf, errorOf, treeOf } from './writing.js'

const isRoot = process.getuid?.() === 0
const modeOf = (path: string) => fs.statSync(path).mode & 0o7777

describe.each(eachWay)('%s: what is written', (_, open) => {
  test('is the very snapshot that the next read gives', async () => {
    const { root, put, inRoot } = temporaryWorkspace({ 'a.md': 'before' })
    fs.symlinkSync('a.md', inRoot('link.md'))
    const files = open(root)
    await files.read(['a.md', 'link.md'])
    for (const path of ['a.md', 'link.md', 'new/deep/b.md', './c.md']) {
      const written = await files.write(path, `for ${path}`)
      expect(written).toMatchObject({ state: 'present', text: `for ${path}`, length: path.length + 4 })
      expect(await present(files, path.replace('./', ''))).toBe(written)
      expect(await present(open(root), path)).toEqual({ ...written, path })
    }
    const last = await files.write('a.md', 'last')
    later()
    for (let round = 0; round < 3; round++) expect(await present(files, 'a.md')).toBe(last)
    put('a.md', 'from outside')
    expect((await present(files, 'a.md')).text).toBe('from outside')
  })

  test('may be long, and is read by its two ends', async () => {
    const { root } = temporaryWorkspace()
    const files = open(root)
    for (const text of ['😀'.repeat(2 ** 20), 'x'.repeat(2 ** 20), 'é'.repeat(2 ** 21)]) {
      const written = await files.write('a.md', text)
      expect(written.length).toBe(text.length)
      expect(await present(files, 'a.md')).toBe(written)
      expect((await files.write('a.md', 'short', { ifVersion: written.version })).text).toBe('short')
    }
  })

  test('makes the root and the folders below it, and nothing above', async () => {
    const { folder, root } = temporaryWorkspace()
    fs.rmdirSync(root)
    for (const name of ['write', 'create', 'append']) {
      await changesOf(open(`${root}/${name}`), 'a.md')
        [name]?.()
        .catch(() => {})
      expect(treeOf(folder)).toEqual({})
    }
    expect(await errorOf(open(`${root}/x`).write('a.md', ''))).toMatchObject({
      code: 'io',
      message: expect.stringContaining('the folder in which the root'),
      data: { path: 'a.md', operation: 'write', code: 'ENOENT' },
    })
    const files = open(root)
    await files.remove('a/b/c.md')
    expect(treeOf(folder)).toEqual({})
    await Promise.all([files.write('a/b/c.md', 'C'), files.append('a/b/d.md', 'D'), files.write('a/e.md', 'E')])
    expect(treeOf(root)).toEqual({ a: '(folder)', 'a/b': '(folder)', 'a/b/c.md': 'C', 'a/b/d.md': 'D', 'a/e.md': 'E' })
  })

  test('goes to where the root is now', async () => {
    const { folder, root } = temporaryWorkspace({ 'a.md': 'A' })
    fs.symlinkSync('root', `${folder}/current`)
    const files = open(`${folder}/current`)
    await files.write('a.md', 'B')
    fs.renameSync(root, `${folder}/moved`)
    fs.rmSync(`${folder}/current`)
    fs.symlinkSync('moved', `${folder}/current`)
    await files.write('a.md', 'C')
    await files.append('memory/b.md', 'D')
    const expected = { 'a.md': 'C', memory: '(folder)', 'memory/b.md': 'D' }
    expect(treeOf(`${folder}/moved`)).toEqual(expected)
    fs.mkdirSync(`${folder}/next`)
    fs.rmSync(`${folder}/current`)
    fs.symlinkSync('next', `${folder}/current`)
    await files.write('a.md', 'E', { ifVersion: null })
    expect([treeOf(`${folder}/moved`), treeOf(`${folder}/next`)]).toEqual([expected, { 'a.md': 'E' }])
  })

  test('comes in the order of the calls, also where nobody waits', async () => {
    const { root } = temporaryWorkspace()
    const files = open(root)
    const calls: Promise<unknown>[] = []
    for (let round = 0; round < 20; round++) {
      calls.push(files.write('a.md', String(round)), files.append('log.jsonl', `${round}\n`))
    }
    calls.push(files.remove('b.md'), files.write('b.md', 'last'))
    await Promise.all(calls)
    const texts = await Promise.all(['a.md', 'b.md', 'log.jsonl'].map((path) => present(files, path)))
    const log = Array.from({ length: 20 }, (_, round) => `${round}\n`).join('')
    expect(texts.map(({ text }) => text)).toEqual(['19', 'last', log])
  })

  test('keeps permissions and owner; a new file gets what new files get', async () => {
    const { root, inRoot, put } = temporaryWorkspace({ 'plain.md': '' })
    const files = open(root)
    for (const mode of [0o600, 0o640, 0o664, 0o755]) {
      put('a.md', 'before')
      fs.chmodSync(inRoot('a.md'), mode)
      if (isRoot) fs.chownSync(inRoot('a.md'), 1_234, 5_678)
      await files.write('a.md', 'after')
      await files.append('a.md', '!')
      expect(modeOf(inRoot('a.md'))).toBe(mode)
      if (isRoot) expect(fs.statSync(inRoot('a.md'))).toMatchObject({ uid: 1_234, gid: 5_678 })
    }
    await files.write('b.md', '')
    await files.write('c.md', '', { ifVersion: null })
    await files.append('d.md', '')
    for (const path of ['b.md', 'c.md', 'd.md']) expect(modeOf(inRoot(path))).toBe(modeOf(inRoot('plain.md')))
  })

  test('leaves nothing else behind, and no descriptor open', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'A' })
    fs.mkdirSync(inRoot('folder'))
    const before = openDescriptors()
    const files = open(root)
    for (let round = 0; round < 5; round++) {
      await files.write('a.md', 'B')
      await files.append('b.md', 'B')
      await files.write(`${round}.md`, 'C', { ifVersion: null })
      await files.remove(`${round}.md`)
      await files.remove('none/none.md')
      for (const path of ['folder', 'a.md', 'a.md/x', '../x'])
        await files.write(path, '', { ifVersion: null }).catch(() => {})
    }
    expect(treeOf(root)).toEqual({ 'a.md': 'B', 'b.md': 'BBBBB', folder: '(folder)' })
    expect(openDescriptors()).toBe(before)
  })

  test('is refused where no file could give it back', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'A' })
    const files = open(root)
    for (const [text, why] of [
      ['a\ud83d', 'half of a surrogate pair at 1'],
      ['\ude00\ud83d', 'half of a surrogate pair at 0'],
      ['ab\0', 'NUL at 2'],
      [7, 'must be a string, not number'],
      [undefined, 'must be a string, not undefined'],
    ] as const) {
      for (const change of ['write', 'append'] as const) {
        const error = await errorOf(files[change]('a.md', text as string))
        expect(error).toMatchObject({ code: 'invalid-options', message: expect.stringContaining(why) })
      }
    }
    expect(treeOf(root)).toEqual({ 'a.md': 'A' })
  })
})

describe.each(eachWay)('%s: compare-and-set', (_, open) => {
  test('loses no update of 20 writers over two file systems and three names', async () => {
    const { root, inRoot, folder } = temporaryWorkspace({ 'a.md': '' })
    fs.symlinkSync('a.md', inRoot('link.md'))
    fs.symlinkSync('root', `${folder}/again`)
    const over = [open(root), open(`${folder}/again`)]
    const writer = async (index: number) => {
      const files = over[index % 2]
      const path = index % 3 === 0 ? 'link.md' : 'a.md'
      if (files === undefined) throw new Error('none')
      for (let edit = 0; edit < 3; ) {
        const { text, version } = await present(files, path)
        const outcome = await files
          .write(path, `${text}${index}:${edit}\n`, { ifVersion: version })
          .catch((error) => error)
        if (outcome.state === 'present') edit++
        else expect(outcome.code).toBe('conflict')
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => writer(index)))
    const lines = fs.readFileSync(inRoot('a.md'), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(60)
    expect(new Set(lines).size).toBe(60)
    expect(fs.readlinkSync(inRoot('link.md'))).toBe('a.md')
  })

  test('loses no addition of 20 that come at once over two file systems', async () => {
    const { root } = temporaryWorkspace()
    const over = [open(root), open(root)]
    await Promise.all(Array.from({ length: 20 }, (_, index) => over[index % 2]?.append('a/log.jsonl', `${index}\n`)))
    expect(fs.readFileSync(`${root}/a/log.jsonl`, 'utf8').trim().split('\n')).toHaveLength(20)
  })

  test('sees what an editor saved while the text went to the disk', async () => {
    const { root, put, inRoot } = temporaryWorkspace({ 'a.md': 'one' })
    const files = open(root)
    const { version } = await present(files, 'a.md')
    beforeFirst(['fsync'], () => put('a.md', 'two'))
    const error = await errorOf(files.write('a.md', 'mine', { ifVersion: version }))
    expect(error).toMatchObject({ code: 'conflict', data: { path: 'a.md', expected: version } })
    expect(error.data.current).toBe((await present(files, 'a.md')).version)
    beforeFirst(['fsync'], () => put('new.md', 'theirs'))
    expect(await errorOf(files.write('new.md', 'mine', { ifVersion: null }))).toMatchObject({ code: 'conflict' })
    beforeFirst(['link', 'linkSync'], () => put('newer.md', 'theirs'))
    const { code, data } = await errorOf(files.write('newer.md', 'mine', { ifVersion: null }))
    expect([code, data.current]).toEqual(['conflict', (await present(files, 'newer.md')).version])
    const third = await present(files, 'a.md')
    beforeFirst(['unlink', 'unlinkSync'], () => fs.rmSync(inRoot('a.md')))
    expect(await errorOf(files.remove('a.md', { ifVersion: third.version }))).toMatchObject({
      code: 'conflict',
      data: { current: null },
    })
    expect(treeOf(root)).toEqual({ 'new.md': 'theirs', 'newer.md': 'theirs' })
  })

  test('sees that a file was removed between the comparison and the removal', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'A' })
    later()
    const files = open(root)
    const { version } = await present(files, 'a.md')
    // A file that is known costs the comparison no opening: the first one is that of the folder.
    beforeFirst(['open'], () => fs.rmSync(inRoot('a.md')))
    const { code, data } = await errorOf(files.remove('a.md', { ifVersion: version }))
    expect([code, data]).toEqual(['conflict', { path: 'a.md', expected: version, current: null }])
  })

  test('makes nothing on a conflict, and nothing where the version is not known', async () => {
    const { root, put } = temporaryWorkspace({ 'nul.md': 'a\0b' })
    const files = open(root)
    expect(await errorOf(files.write('a/b.md', '', { ifVersion: 'x' }))).toMatchObject({ code: 'conflict' })
    for (const ifVersion of ['x', null]) {
      const error = await errorOf(files.write('nul.md', 'text', { ifVersion }))
      expect(error).toMatchObject({ code: 'io', message: expect.stringContaining('it holds NUL') })
    }
    expect(await errorOf(files.remove('nul.md', { ifVersion: 'x' }))).toMatchObject({ code: 'io' })
    expect(treeOf(root)).toEqual({ 'nul.md': 'a\0b' })
    put('nul.md', 'c\0d')
    expect((await files.write('nul.md', 'text')).text).toBe('text')
  })
})

test.each(eachWay)('%s: an addition is in the encoding of the file', async (_, open) => {
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  const { root } = temporaryWorkspace({
    'le.md': wide('你'),
    'be.md': wide('你').swap16(),
    'bom.md': '\ufeff你',
    'e.md': '',
  })
  const files = open(root)
  for (const path of ['le.md', 'be.md', 'bom.md', 'e.md']) {
    await files.append(path, '好 😀')
    expect(await present(files, path)).toMatchObject({ text: path === 'e.md' ? '好 😀' : '\ufeff你好 😀' })
  }
})

test.each(eachWay)('%s: an addition to a file that is replaced meanwhile is not lost', async (_, open) => {
  const { root, put, inRoot } = temporaryWorkspace({ 'a.md': 'A' })
  beforeFirst(['write'], () => {
    put('new.md', 'B')
    fs.renameSync(inRoot('new.md'), inRoot('a.md'))
  })
  await open(root).append('a.md', '!')
  expect(treeOf(root)).toEqual({ 'a.md': 'B!' })
})

test('reading waits for a file that was created this instant to lose its second name', async () => {
  const { root, inRoot } = temporaryWorkspace({ 'a.md': 'A' })
  for (const io of ['sync', 'async'] as const) {
    fs.linkSync(inRoot('a.md'), inRoot('.a.md.tmp'))
    const reading = nodeFileSystem(root, { hardLinks: 'reject', io }).read(['a.md'])
    await new Promise(setImmediate)
    fs.rmSync(inRoot('.a.md.tmp'))
    expect((await reading).map(fateOf)).toEqual(['present'])
  }
})
