import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { END_BYTES, END_UNITS, WHOLE_UNITS } from '../../../src/workspace/decode.js'
import { bytesRead, eachWay, later, present, readOne, temporaryWorkspace } from './workspace.js'

const MiB = 2 ** 20

describe.each(eachWay)('%s: large files', (_, open) => {
  test('1 Mi units of Chinese text, 3 MiB, come whole; one more comes by the ends', async () => {
    const text = '中'.repeat(WHOLE_UNITS)
    const { root } = temporaryWorkspace({ 'whole.md': text, 'long.md': `${text}文` })
    const files = open(root)
    const whole = await present(files, 'whole.md')
    expect(whole.gap).toBeUndefined()
    expect(whole.text === text).toBe(true)
    const long = await present(files, 'long.md')
    expect(long).toMatchObject({ gap: { at: END_UNITS }, length: WHOLE_UNITS + 1 })
    expect(long.approximate).toBeUndefined()
    expect(long.text === `${'中'.repeat(2 * END_UNITS - 1)}文`).toBe(true)
  })

  test('2 MiB of ASCII come by the ends', async () => {
    const text = Array.from({ length: (2 * MiB) / 8 }, (_, line) => `${String(line).padStart(7, '0')}\n`).join('')
    const { root } = temporaryWorkspace({ 'a.md': text })
    const snapshot = await present(open(root), 'a.md')
    expect(snapshot).toMatchObject({ gap: { at: END_UNITS }, length: 2 * MiB })
    expect(snapshot.text === text.slice(0, END_UNITS) + text.slice(-END_UNITS)).toBe(true)
  })

  test('up to 64 MiB the length is exact and every byte counts for the version', async () => {
    const text = 'a中😀é\n'.repeat(MiB)
    const bytes = Buffer.from(text)
    const { root, put, inRoot } = temporaryWorkspace({
      'a.md': bytes,
      'wide.md': Buffer.from(`\ufeff${text}`, 'utf16le'),
    })
    const files = open(root)
    const before = await present(files, 'a.md')
    expect(before.length).toBe(text.length)
    expect(before.lossy).toBeUndefined()
    expect((await present(files, 'wide.md')).length).toBe(text.length + 1)
    expect(await present(files, 'a.md')).toBe(before)

    const fd = fs.openSync(inRoot('a.md'), 'r+')
    fs.writeSync(fd, 'b', bytes.indexOf('a', bytes.length / 2))
    fs.closeSync(fd)
    const after = await present(files, 'a.md')
    expect(after.text === before.text).toBe(true)
    expect(after.version).not.toBe(before.version)
    put('a.md', bytes)
    expect((await present(files, 'a.md')).version).toBe(before.version)
  })

  test('bad bytes anywhere make it lossy, and its length is exact all the same', async () => {
    const bytes = Buffer.alloc(5 * MiB, '中')
    bytes[bytes.length / 2] = 0xff
    const { root } = temporaryWorkspace({ 'a.md': bytes, 'gbk.md': Buffer.alloc(2 * MiB, Buffer.of(0xc4, 0xe3)) })
    const files = open(root)
    const snapshot = await present(files, 'a.md')
    expect(snapshot).toMatchObject({ lossy: true, length: new TextDecoder().decode(bytes).length })
    expect(snapshot.approximate).toBeUndefined()
    expect(await present(files, 'gbk.md')).toMatchObject({ lossy: true, length: 2 * MiB })
  })

  test('NUL in the middle of 10 MiB makes it binary', async () => {
    const bytes = Buffer.alloc(10 * MiB, 'x')
    bytes[5 * MiB] = 0
    const { root } = temporaryWorkspace({ 'a.md': bytes })
    expect(await readOne(open(root), 'a.md')).toMatchObject({ state: 'unreadable', reason: 'binary' })
  })

  test('of 1 GiB only the ends are read', async () => {
    const { root, put, inRoot } = temporaryWorkspace()
    const start = 'start\n'.repeat(MiB / 4)
    const end = '\n结尾'.repeat(MiB / 4)
    put('a.md', start)
    put('holes.md', '')
    const fd = fs.openSync(inRoot('a.md'), 'r+')
    const size = 1_024 * MiB
    fs.writeSync(fd, end, size - Buffer.byteLength(end))
    fs.closeSync(fd)
    fs.truncateSync(inRoot('holes.md'), size)

    const read = bytesRead()
    const memory = process.memoryUsage().rss
    const files = open(root)
    const snapshot = await present(files, 'a.md')
    expect(read.bytes).toBe(2 * END_BYTES)
    expect(process.memoryUsage().rss - memory).toBeLessThan(64 * MiB)
    expect(snapshot).toMatchObject({ approximate: true, gap: { at: END_UNITS } })
    expect(snapshot.text === start.slice(0, END_UNITS) + end.slice(-END_UNITS)).toBe(true)
    expect(snapshot.length).toBeGreaterThan(size / 3)
    expect(snapshot.length).toBeLessThan(size)
    expect(await readOne(files, 'holes.md')).toMatchObject({ reason: 'binary' })

    // While it may be changing unseen no two readings are called equal; later they are.
    expect((await present(files, 'a.md')).version).not.toBe(snapshot.version)
    later()
    const settled = await present(files, 'a.md')
    expect(await present(files, 'a.md')).toBe(settled)
  })
})
