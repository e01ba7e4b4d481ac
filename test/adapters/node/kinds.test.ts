import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eachWay, fateOf, openDescriptors, present, readOne, temporaryWorkspace } from './workspace.js'

const isRoot = process.getuid?.() === 0

describe.each(eachWay)('%s: what may stand in place of a file', (_, open) => {
  test('a FIFO, which nobody ever writes to', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'USER.md': 'here' })
    execFileSync('mkfifo', [inRoot('SOUL.md')])
    const readings = await open(root).read(['SOUL.md', 'USER.md'])
    expect(readings.map(fateOf)).toEqual(['not-a-file', 'present'])
    expect(readings[0]).toMatchObject({ detail: 'it is a FIFO' })
  })

  test('a directory', async () => {
    const { root, inRoot } = temporaryWorkspace()
    fs.mkdirSync(inRoot('SOUL.md'))
    expect(await readOne(open(root), 'SOUL.md')).toEqual({
      state: 'unreadable',
      path: 'SOUL.md',
      reason: 'not-a-file',
      detail: 'it is a directory',
    })
  })

  test('a socket', async () => {
    const { root, inRoot } = temporaryWorkspace()
    const server = createServer().listen(inRoot('SOUL.md'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    expect(await readOne(open(root), 'SOUL.md')).toMatchObject({ reason: 'not-a-file', detail: 'it is a socket' })
  })

  test.skipIf(!isRoot)('a device', async () => {
    const { root, inRoot } = temporaryWorkspace()
    execFileSync('mknod', [inRoot('SOUL.md'), 'c', '1', '5'])
    expect(await readOne(open(root), 'SOUL.md')).toMatchObject({ reason: 'not-a-file', detail: 'it is a device' })
  })

  test('links: inside the root they are followed, out of it never', async () => {
    const { folder, root, inRoot, beside } = temporaryWorkspace({ 'real.md': 'inside', 'folder/deep.md': 'deep' })
    beside('secret.md', 'outside')
    fs.mkdirSync(`${folder}/other`)
    fs.writeFileSync(`${folder}/other/secret.md`, 'outside')
    // A neighbour whose path begins with the characters of the root's.
    fs.mkdirSync(`${root}-2`)
    fs.writeFileSync(`${root}-2/secret.md`, 'outside')
    const links = {
      'inside.md': 'real.md',
      'absolute.md': inRoot('real.md'),
      'twice.md': 'inside.md',
      'inside-folder': 'folder',
      'file.md': '../secret.md',
      'outside-folder': '../other',
      'neighbour.md': '../root-2/secret.md',
      'neighbour-folder': '../root-2',
      'device.md': '/dev/zero',
      'environment.md': '/proc/self/environ',
      'root.md': '.',
      'dangling.md': 'none.md',
      'dangling-outside.md': '../none.md',
      'circle.md': 'circle.md',
      'circle-a.md': 'circle-b.md',
      'circle-b.md': 'circle-a.md',
    }
    for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, inRoot(name))
    const expected = {
      'inside.md': 'present',
      'absolute.md': 'present',
      'twice.md': 'present',
      'inside-folder/deep.md': 'present',
      'file.md': 'outside-root',
      'outside-folder/secret.md': 'outside-root',
      'neighbour.md': 'outside-root',
      'neighbour-folder/secret.md': 'outside-root',
      'device.md': 'outside-root',
      'environment.md': 'outside-root',
      'root.md': 'not-a-file',
      'dangling.md': 'missing',
      'dangling-outside.md': 'missing',
      'circle.md': 'io',
      'circle-a.md': 'io',
      'circle-b.md': 'io',
      'real.md/below.md': 'missing',
    }
    const files = open(root)
    // Twice: what was refused once is not remembered as good.
    for (let round = 0; round < 2; round++) {
      const readings = await files.read(Object.keys(expected))
      expect(Object.fromEntries(readings.map((reading) => [reading.path, fateOf(reading)]))).toEqual(expected)
      expect(JSON.stringify(readings)).not.toContain('outside"')
    }
  })

  test('two names of one file have one id', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'A', 'other.md': 'A' })
    fs.symlinkSync('a.md', inRoot('link.md'))
    fs.linkSync(inRoot('a.md'), inRoot('hard.md'))
    const files = open(root)
    const { id } = await present(files, 'a.md')
    expect(id).toMatch(/^\d+:\d+$/)
    expect((await present(files, 'link.md')).id).toBe(id)
    expect((await present(files, 'hard.md')).id).toBe(id)
    expect((await present(files, 'other.md')).id).not.toBe(id)
  })

  test('a file of /proc, which reports no size', async () => {
    const { root } = temporaryWorkspace()
    if (!fs.existsSync('/proc/self/status')) return
    const { text } = await present(open('/proc/self'), 'status')
    expect(text).toContain('VmRSS')
    expect(fateOf(await readOne(open(root), 'status'))).toBe('missing')
  })

  test('GBK is replaced and said to be lossy, NUL is binary, UTF-16 is decoded', async () => {
    const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
    const { root } = temporaryWorkspace({
      'gbk.md': Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3),
      'nul.md': 'a\0b',
      'le.md': wide('你好'),
      'be.md': wide('你好').swap16(),
      'bom.md': '\ufeff你好',
    })
    const readings = await open(root).read(['gbk.md', 'nul.md', 'le.md', 'be.md', 'bom.md'])
    expect(readings).toMatchObject([
      { state: 'present', text: expect.stringContaining('\ufffd'), lossy: true },
      { state: 'unreadable', reason: 'binary' },
      { state: 'present', text: '\ufeff你好', length: 3 },
      { state: 'present', text: '\ufeff你好', length: 3 },
      { state: 'present', text: '\ufeff你好', length: 3 },
    ])
    expect(readings.filter((reading) => 'lossy' in reading)).toHaveLength(1)
  })

  test('no descriptor stays open', async () => {
    const { root, inRoot, beside } = temporaryWorkspace({ 'a.md': 'A', 'nul.md': '\0', 'big.md': 'x'.repeat(4e6) })
    fs.symlinkSync(beside('secret.md', 'outside'), inRoot('link.md'))
    fs.mkdirSync(inRoot('folder'))
    const before = openDescriptors()
    for (let round = 0; round < 5; round++) {
      const files = open(root)
      await files.read(['a.md', 'nul.md', 'big.md', 'link.md', 'folder', 'none.md', 'link.md/x', '../x'])
      await files.list('')
      await files.list('none')
      await files.list('a.md').catch(() => {})
    }
    expect(openDescriptors()).toBe(before)
  })
})
