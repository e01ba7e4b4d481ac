import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { boundedCache } from '../../../src/adapters/node/cache.js'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { isSettled, sameKey } from '../../../src/adapters/node/stat-key.js'
import { countCalls, eachWay, later, present, temporaryWorkspace } from './workspace.js'

const paths = Array.from({ length: 9 }, (_, index) => `${index}.md`)

describe.each([
  ['sync', 'lstatSync', 'statSync'],
  ['async', 'lstat', 'stat'],
] as const)('%s: an unchanged file', (io, lstat, stat) => {
  test('costs one lstat and nothing else', async () => {
    const { root, inRoot } = temporaryWorkspace(Object.fromEntries(paths.map((path) => [path, path])))
    fs.symlinkSync('0.md', inRoot('link.md'))
    later()
    const files = nodeFileSystem(root, { io })
    const first = await files.read([...paths, 'none.md'])
    const link = await present(files, 'link.md')
    const names = await files.list('')
    const calls = countCalls()
    const second = await files.read([...paths, 'none.md'])
    expect([...calls]).toEqual([[lstat, 10]])
    for (const index of paths.keys()) expect(second[index]).toBe(first[index])

    calls.clear()
    expect(await files.list('')).toBe(names)
    expect([...calls]).toEqual([[lstat, 1]])
    calls.clear()
    expect(await present(files, 'link.md')).toBe(link)
    expect([...calls]).toEqual([[stat, 1]])
  })
})

describe.each(eachWay)('%s: the identity of snapshots', (_, open) => {
  test('outlives a second look at a file too young to be trusted', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B' })
    const files = open(root)
    const [a, b] = await files.read(['a.md', 'b.md'])
    put('b.md', 'C')
    const [again, changed] = await files.read(['a.md', 'b.md'])
    expect(again).toBe(a)
    expect(changed).not.toBe(b)
    later()
    expect((await files.read(['a.md']))[0]).toBe(a)
    expect((await files.read(['a.md']))[0]).toBe(a)
    expect(Object.isFrozen(a)).toBe(true)
  })

  test('ends where the id or the time of an equal text is another', async () => {
    const { root, put, inRoot } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'A' })
    const files = open(root)
    const a = await present(files, 'a.md')
    const b = await present(files, 'b.md')
    expect(b.version).toBe(a.version)
    fs.rmSync(inRoot('b.md'))
    fs.linkSync(inRoot('a.md'), inRoot('b.md'))
    const linked = await present(files, 'b.md')
    expect(linked).not.toBe(b)
    expect([linked.id, linked.version]).toEqual([a.id, a.version])
    const then = new Date('2020-02-02T02:02:02Z')
    put('a.md', 'A')
    fs.utimesSync(inRoot('a.md'), then, then)
    const touched = await present(files, 'a.md')
    expect([touched.version, touched.modifiedAt]).toEqual([a.version, then])
  })

  test('does not depend on how many other files are read', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `many/${index}.md`)
    const { root } = temporaryWorkspace(Object.fromEntries(many.map((path) => [path, path])))
    const files = open(root)
    for (let round = 0; round < 2; round++) {
      const readings = await files.read(many)
      expect(readings.map((reading) => (reading.state === 'present' ? reading.text : ''))).toEqual(many)
    }
  })
})

test('a file is settled 2 s after its last change, and never when that is yet to come', () => {
  const key = (mtimeMs: number, ctimeMs: number) => ({
    dev: 1n,
    ino: 1n,
    size: 1n,
    mtimeNs: BigInt(mtimeMs) * 1_000_000n,
    ctimeNs: BigInt(ctimeMs) * 1_000_000n,
  })
  expect(isSettled(key(1_000, 1_000), 3_000)).toBe(true)
  expect(isSettled(key(1_000, 1_000), 2_999)).toBe(false)
  expect(isSettled(key(1_000, 1_001), 3_000)).toBe(false)
  expect(isSettled(key(1_001, 1_000), 3_000)).toBe(false)
  expect(isSettled(key(9_000, 1_000), 3_000)).toBe(false)
  for (const part of ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const) {
    expect(sameKey(key(1, 1), { ...key(1, 1), [part]: 7n })).toBe(false)
  }
})

test('the cache holds no more than it may, and lets the oldest go', () => {
  const cache = boundedCache<string>({ entries: 3, units: 10, unitsOf: (text) => text.length })
  const known = (value: string) => ({ at: '', isLink: false, settled: true, value, key: {} as never })
  const held = (...paths: string[]) => paths.map((path) => cache.get(path)?.value)
  for (const path of ['a', 'b', 'c', 'd']) cache.set(path, known(path))
  expect(held('a', 'b', 'c', 'd')).toEqual([undefined, 'b', 'c', 'd'])
  cache.set('b', known('12345678'))
  expect(held('b', 'c', 'd')).toEqual(['12345678', 'c', 'd'])
  cache.set('e', known('12'))
  expect(held('b', 'c', 'd', 'e')).toEqual(['12345678', undefined, undefined, '12'])
  cache.set('f', known('longer than all of it'))
  expect(held('b', 'e', 'f')).toEqual([undefined, undefined, undefined])
  cache.set('g', known('small'))
  expect(held('g')).toEqual(['small'])
})
