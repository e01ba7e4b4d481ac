import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { isLocalDisk, isOnLocalDisk } from '../../../src/adapters/node/local-disk.js'
import { countCalls, present, temporaryWorkspace } from './workspace.js'

describe('the root', () => {
  test('is a path or a file: URL, and names the file system', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'A' })
    for (const given of [root, `${root}/`, pathToFileURL(root), relative(process.cwd(), root)]) {
      const files = nodeFileSystem(given)
      expect(files.name).toBe(`node:${given}`)
      expect((await present(files, 'a.md')).text).toBe('A')
    }
  })

  test.each(['', 'a\0b', new URL('https://example.com/'), 7])('%j is refused', (root) => {
    const attempt = () => nodeFileSystem(root as string)
    expect(attempt).toThrow(expect.objectContaining({ name: 'PromptError', code: 'invalid-options' }))
  })

  test.each([null, 'sync', 7])('%j for options is refused', (options) => {
    expect(() => nodeFileSystem('.', options as never)).toThrow(
      expect.objectContaining({ name: 'PromptError', code: 'invalid-options' }),
    )
  })

  test('unknown choices are refused by name', () => {
    expect(() => nodeFileSystem('.', { io: 'fast' as 'sync' })).toThrow(
      'io must be one of auto, sync, async, not "fast"',
    )
    expect(() => nodeFileSystem('.', { hardLinks: 'no' as 'read' })).toThrow('hardLinks must be one of read, reject')
  })

  test.each([
    [{ durability: 'some' }, 'durability must be one of full, relaxed, not "some"'],
    [{ lockTimeout: -1 }, 'lockTimeout must be a number of ms from 0 to 2147483647, not -1'],
    [{ lockTimeout: '5' }, 'lockTimeout must be a number of ms from 0 to 2147483647, not "5"'],
    [{ onFailure: 'throw' }, 'onFailure must be one of report, last-good, not "throw"'],
    [
      { durabilty: 'full' },
      'options must be of io, hardLinks, links, onFailure, durability, lockTimeout, countAll, not "durabilty"',
    ],
    [{ countAll: { withing: 5 } }, 'countAll must be of within, not "withing"'],
  ])('%j is refused', (options, message) => {
    const attempt = () => nodeFileSystem('.', options as never)
    expect(attempt).toThrow(message)
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })
})

describe('auto', () => {
  test('knows local disks and trusts nothing else', () => {
    for (const type of [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010]) {
      expect(isLocalDisk(type, 'linux')).toBe(true)
      expect(isLocalDisk(type | 0, 'linux')).toBe(true)
    }
    // NFS, SMB, FUSE, 9p, Ceph.
    for (const type of [0x6969, 0xfe534d42, 0xff534d42, 0x65735546, 0x01021997, 0x00c36400, 0]) {
      expect(isLocalDisk(type, 'linux')).toBe(false)
    }
    expect(isLocalDisk(0x1a, 'darwin')).toBe(true)
    expect(isLocalDisk(0xef53, 'darwin')).toBe(false)
    expect(isLocalDisk(0, 'win32')).toBe(false)
  })

  test('decides once, when the root is there', async () => {
    expect(await isOnLocalDisk(`${tmpdir()}/none/none`)).toBeUndefined()
    const { root, put } = temporaryWorkspace()
    fs.rmdirSync(root)
    const statfs = vi.spyOn(fs.promises, 'statfs')
    onTestFinished(() => statfs.mockRestore())
    const files = nodeFileSystem(root)
    await files.read(['a.md'])
    put('a.md', 'A')
    const calls = countCalls()
    await files.read(['a.md'])
    await files.read(['a.md'])
    const isLocal = await isOnLocalDisk(root)
    expect(calls.has(isLocal ? 'lstatSync' : 'lstat')).toBe(true)
    expect(calls.has(isLocal ? 'lstat' : 'lstatSync')).toBe(false)
  })
})

describe.each(['sync', 'async', 'auto'] as const)('%s: signals', (io) => {
  test('one that was aborted before is heeded wherever something could take long', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'A', 'large.md': 'x'.repeat(2 ** 21) })
    const files = nodeFileSystem(root, { io })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(files.read(['large.md'], { signal })).rejects.toThrow('enough')
    if (io === 'sync') {
      expect(await files.read(['a.md'], { signal })).toMatchObject([{ text: 'A' }])
      expect(await files.list('', { signal })).toContain('a.md')
    } else {
      await expect(files.read(['a.md'], { signal })).rejects.toThrow('enough')
      await expect(files.list('', { signal })).rejects.toThrow('enough')
    }
  })

  test('one that aborts while a large file is read is heeded, and what is open is closed', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'x'.repeat(60 * 2 ** 20) })
    const files = nodeFileSystem(root, { io })
    await files.list('')
    const calls = countCalls()
    const controller = new AbortController()
    const reading = files.read(['a.md'], { signal: controller.signal })
    while (!calls.has('read')) await new Promise(setImmediate)
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    await vi.waitFor(() => expect((calls.get('close') ?? 0) + (calls.get('closeSync') ?? 0)).toBe(1))
    expect(calls.get('read')).toBeLessThan(200)
    expect((await present(files, 'a.md')).length).toBe(60 * 2 ** 20)
  })
})

test('a large file is never read with blocking calls', async () => {
  const { root } = temporaryWorkspace({ 'a.md': 'x'.repeat(2 ** 20 + 1), 'b.md': 'x'.repeat(2 ** 20) })
  const files = nodeFileSystem(root, { io: 'sync' })
  const calls = countCalls()
  await files.read(['a.md'])
  expect(calls.has('readSync')).toBe(false)
  calls.clear()
  await files.read(['b.md'])
  expect(calls.has('readSync')).toBe(true)
  expect(calls.has('read')).toBe(false)
})

describe('an abort signal', () => {
  test('is listened to once, however many files are read under it', async () => {
    const texts = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.md`, 'text']))
    const { root } = temporaryWorkspace(texts)
    const { signal } = new AbortController()
    const listen = vi.spyOn(signal, 'addEventListener')
    const files = nodeFileSystem(root, { io: 'async' })
    for (let round = 0; round < 3; round++) await files.read(Object.keys(texts), { signal })
    // From the eleventh listener on, Node warns of a leak.
    expect(listen).toHaveBeenCalledTimes(1)
  })
})
