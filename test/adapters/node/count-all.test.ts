import fs from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { buildSystemPrompt, defineAgent } from '../../../src/index.js'
import type { FileReading } from '../../../src/ports/file-system.js'
import { END_BYTES } from '../../../src/workspace/decode.js'
import { bytesRead, countCalls, later, openDescriptors, present, temporaryWorkspace } from './workspace.js'

const MiB = 2 ** 20
/** Long enough for every count of these tests. */
const patient = { within: 25_000 }

/** A file of zeros, which take no room, with text at both ends. */
function sparse(path: string, bytes: number): void {
  const start = Buffer.from('开始 start\n'.repeat(100_000))
  const end = Buffer.from('结尾 end\n'.repeat(120_000))
  const fd = fs.openSync(path, 'w')
  fs.writeSync(fd, start, 0, start.length, 0)
  fs.writeSync(fd, end, 0, end.length, bytes - end.length)
  fs.closeSync(fd)
}

function unitsOfSparse(bytes: number): number {
  const spared = Buffer.byteLength('开始 start\n') * 100_000 + Buffer.byteLength('结尾 end\n') * 120_000
  return bytes - spared + '开始 start\n'.length * 100_000 + '结尾 end\n'.length * 120_000
}

describe.each(['sync', 'async'] as const)('%s: countAll', (io) => {
  test('gives the length that the text has, and changes nothing else', async () => {
    const text = 'a中😀é\n'.repeat(6.5 * MiB)
    const { root } = temporaryWorkspace({ 'a.md': text })
    fs.symlinkSync('a.md', `${root}/link.md`)
    later()
    const { length, approximate, ...estimate } = await present(nodeFileSystem(root, { io }), 'a.md')
    expect(approximate).toBe(true)
    expect(length).not.toBe(text.length)

    const calls = countCalls()
    const files = nodeFileSystem(root, { io, countAll: patient })
    const exact = await present(files, 'a.md')
    expect(exact).toStrictEqual({ ...estimate, length: text.length })
    expect(Object.isFrozen(exact)).toBe(true)
    expect((await present(files, 'link.md')).length).toBe(text.length)
    expect(calls.has('readSync')).toBe(false)
  })

  test('counts the U+FFFD of bad bytes, and each NUL', async () => {
    const bytes = Buffer.alloc(66 * MiB, '中')
    bytes.fill(Buffer.of(0xc4, 0xe3, 0x41), 30 * MiB, 31 * MiB)
    const { root, inRoot } = temporaryWorkspace({ 'bad.md': bytes })
    sparse(inRoot('holes.md'), 70 * MiB)
    const files = nodeFileSystem(root, { io, countAll: patient })
    const length = new TextDecoder().decode(bytes).length
    expect((await present(nodeFileSystem(root, { io }), 'bad.md')).lossy).toBeUndefined()
    expect(await present(files, 'bad.md')).toMatchObject({ lossy: true, length })
    expect(await present(files, 'holes.md')).toMatchObject({ length: unitsOfSparse(70 * MiB) })
    for (const path of ['bad.md', 'holes.md']) expect((await present(files, path)).approximate).toBeUndefined()
  })

  test('counts an unchanged file once, and a changed one anew', async () => {
    const { root, inRoot } = temporaryWorkspace()
    const size = 66 * MiB
    sparse(inRoot('a.md'), size)
    later()
    const files = nodeFileSystem(root, { io, countAll: patient })
    const read = bytesRead()
    const first = await present(files, 'a.md')
    expect(read.bytes).toBe(size + 2 * END_BYTES)
    expect(await present(files, 'a.md')).toBe(first)
    expect(read.bytes).toBe(size + 2 * END_BYTES)

    const fd = fs.openSync(inRoot('a.md'), 'r+')
    fs.writeSync(fd, '中', size / 2)
    fs.closeSync(fd)
    const second = await present(files, 'a.md')
    expect(second).toMatchObject({ length: first.length - 2 })
    expect(second.version).not.toBe(first.version)
    expect(read.bytes).toBe(2 * (size + 2 * END_BYTES))
  })

  test('trusts no count of a file that may be changing unseen', async () => {
    const { root, inRoot } = temporaryWorkspace()
    const size = 66 * MiB
    sparse(inRoot('a.md'), size)
    // The file was written this instant, for as long as the test takes.
    later(-30_000)
    const files = nodeFileSystem(root, { io, countAll: patient })
    const read = bytesRead()
    for (let reading = 1; reading <= 2; reading++) {
      expect((await present(files, 'a.md')).length).toBe(unitsOfSparse(size))
      expect(read.bytes).toBe(reading * (size + 2 * END_BYTES))
    }
  })

  test('answers with the estimate where time is short, and the next read counts on', async () => {
    const { root, inRoot } = temporaryWorkspace()
    const size = 512 * MiB
    sparse(inRoot('a.md'), size)
    later()
    const files = nodeFileSystem(root, { io, countAll: { within: 1 } })
    const read = bytesRead()
    const first = await present(files, 'a.md')
    expect(first.approximate).toBe(true)
    const exact = await vi.waitUntil(
      async () => {
        const snapshot = await present(files, 'a.md')
        return snapshot.approximate ? undefined : snapshot
      },
      { timeout: 25_000, interval: 1 },
    )
    expect(exact).toMatchObject({ length: unitsOfSparse(size), version: first.version })
    // No byte of the middle twice: only a character of three bytes that a piece broke off is read again.
    expect(read.bytes - size - 2 * END_BYTES).toBeLessThan(1_024)
  })

  test('is shared by all who wait for the same file', async () => {
    const { root, inRoot } = temporaryWorkspace()
    const size = 300 * MiB
    sparse(inRoot('a.md'), size)
    later()
    const files = nodeFileSystem(root, { io, countAll: patient })
    const read = bytesRead()
    const all = await Promise.all(Array.from({ length: 4 }, () => present(files, 'a.md')))
    for (const snapshot of all) expect(snapshot.length).toBe(unitsOfSparse(size))
    expect(read.bytes).toBeLessThanOrEqual(size + 4 * 2 * END_BYTES)
  })

  test('heeds an abort, after which nothing is read and nothing stays open', async () => {
    const { root, inRoot } = temporaryWorkspace()
    sparse(inRoot('a.md'), 1_024 * MiB)
    later()
    const files = nodeFileSystem(root, { io, countAll: patient })
    await files.list('')
    const open = openDescriptors()
    const read = bytesRead()
    const controller = new AbortController()
    const reading = files.read(['a.md'], { signal: controller.signal })
    while (read.bytes < 20 * MiB) await new Promise(setImmediate)
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    await vi.waitFor(() => expect(openDescriptors()).toBe(open))
    const { bytes } = read
    expect(bytes).toBeLessThan(1_000 * MiB)
    await new Promise(setImmediate)
    expect(read.bytes).toBe(bytes)
    expect((await present(files, 'a.md')).length).toBe(unitsOfSparse(1_024 * MiB))
  })

  test('never gives the length of a text that changed meanwhile', async () => {
    const { root, inRoot } = temporaryWorkspace()
    sparse(inRoot('a.md'), 200 * MiB)
    later()
    const files = nodeFileSystem(root, { io, countAll: patient })
    const read = bytesRead()
    const reading = present(files, 'a.md')
    while (read.bytes < 20 * MiB) await new Promise(setImmediate)
    fs.appendFileSync(inRoot('a.md'), 'more')
    expect((await reading).approximate).toBe(true)
    expect(await present(files, 'a.md')).toMatchObject({ length: unitsOfSparse(200 * MiB) + 4 })
  })
})

describe.each([
  ['en', /of about \d+\)/, /of (\d+)\)/],
  ['zh-CN', /共 ?约 ?\d+ 字符/, /共 ?(\d+) 字符/],
] as const)('a build in %s', (locale, estimated, exact) => {
  test('shows an estimated total as one, also where a count came too late, and a counted one as it is', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'USER.md': 'Her name is Ines.' })
    const size = 1_024 * MiB
    sparse(inRoot('SOUL.md'), size)
    later()
    const build = async (files: ReturnType<typeof nodeFileSystem>) => {
      const prompt = await buildSystemPrompt(defineAgent({ files, locale }), { now: new Date('2026-02-16T09:30:00Z') })
      // Whatever the time, no file is lost to it.
      expect(prompt.text).toContain('Her name is Ines.')
      const source = prompt.sources.find(({ path }) => path === 'SOUL.md')
      expect(source?.state).toBe('truncated')
      return prompt.text
    }
    const plain = await build(nodeFileSystem(root))
    expect(plain).toMatch(estimated)
    expect(plain).not.toMatch(exact)

    const counting = nodeFileSystem(root, { countAll: { within: 20 } })
    expect(await build(counting)).toMatch(estimated)
    const text = await vi.waitUntil(
      async () => {
        const text = await build(counting)
        return estimated.test(text) ? undefined : text
      },
      { timeout: 25_000, interval: 1 },
    )
    expect(exact.exec(text)?.[1]).toBe(`${unitsOfSparse(size)}`)
  })
})

test('a file in UTF-16 needs no counting: its size says its length', async () => {
  const text = `\ufeff${'中文😀 '.repeat(7 * MiB)}`
  const { root } = temporaryWorkspace({ 'wide.md': Buffer.from(text, 'utf16le') })
  const snapshot = await present(nodeFileSystem(root), 'wide.md')
  expect(snapshot.length).toBe(text.length)
  expect(snapshot.approximate).toBeUndefined()
})

test('an error while it counts leaves the estimate', async () => {
  const { root, inRoot } = temporaryWorkspace()
  sparse(inRoot('a.md'), 70 * MiB)
  const files = nodeFileSystem(root, { io: 'async', countAll: patient })
  const { read } = fs
  onTestFinished(() => void Reflect.set(fs, 'read', read))
  Reflect.set(fs, 'read', (...args: unknown[]) => {
    const done = args.at(-1) as (error: Error) => void
    if (args[4] === 3 * MiB) done(Object.assign(new Error('EIO'), { code: 'EIO' }))
    else Reflect.apply(read, fs, args)
  })
  const [reading] = (await files.read(['a.md'])) as [FileReading]
  expect(reading).toMatchObject({ state: 'present', approximate: true })
})

test.each([
  7,
  'yes',
  null,
  { within: 0 },
  { within: -1 },
  { within: Number.NaN },
  { within: '5' },
  { within: 2 ** 31 },
])('countAll: %j is refused', (countAll) => {
  expect(() => nodeFileSystem('.', { countAll: countAll as never })).toThrow(
    expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining('countAll') }),
  )
})
