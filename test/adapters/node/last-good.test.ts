import fs from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { fateOf, later, present, readOne, temporaryWorkspace } from './workspace.js'
import { errorOf, intercept, systemError } from './writing.js'

const ways = ['sync', 'async'] as const

/** From now on a look at these files fails with `EIO`, or never ends. */
function ill(...names: readonly string[]) {
  const isIll = (path: unknown) => names.some((name) => String(path).endsWith(name))
  return intercept(['lstat', 'lstatSync'], (name, original) => (path, ...rest) => {
    if (!isIll(path)) return original(path, ...rest)
    if (name === 'lstatSync') throw systemError('EIO')
    return Promise.reject(systemError('EIO'))
  })
}

function hanging(name: string) {
  return intercept(['lstat'], (_, original) => (path, ...rest) => {
    return String(path).endsWith(name) ? new Promise(() => {}) : original(path, ...rest)
  })
}

test.each(ways)('%s: a file that the disk cannot give is its last good text, until it can', async (io) => {
  const { root, put } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B' })
  const files = nodeFileSystem(root, { io, onFailure: 'last-good' })
  later()
  const good = await present(files, 'a.md')
  const recover = ill('a.md', 'c.md')
  const [a, b, c] = await files.read(['a.md', 'b.md', 'c.md'])
  expect(a).toEqual({ ...good, stale: true, staleReason: 'the system reported EIO' })
  expect(b).toMatchObject({ text: 'B' })
  expect(b).not.toHaveProperty('stale')
  expect(c).toMatchObject({ state: 'unreadable', reason: 'io' })
  expect(await readOne(files, 'a.md')).toBe(a)
  recover()
  expect(await readOne(files, 'a.md')).toBe(good)
  put('a.md', 'changed')
  expect((await present(files, 'a.md')).text).toBe('changed')
  ill('a.md')
  expect(await present(files, 'a.md')).toMatchObject({ text: 'changed', stale: true })
})

test.each(ways)('%s: by default it is reported', async (io) => {
  const { root } = temporaryWorkspace({ 'a.md': 'A' })
  for (const options of [{}, { onFailure: 'report' as const }]) {
    const files = nodeFileSystem(root, { io, ...options })
    await files.read(['a.md'])
    const recover = ill('a.md')
    expect(fateOf(await readOne(files, 'a.md'))).toBe('io')
    recover()
  }
})

test.each(ways)('%s: what was deleted, or leads out of the root now, is gone', async (io) => {
  const { root, inRoot, beside } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C' })
  const files = nodeFileSystem(root, { io, onFailure: 'last-good' })
  await files.read(['a.md', 'b.md', 'c.md'])
  fs.rmSync(inRoot('a.md'))
  fs.rmSync(inRoot('b.md'))
  fs.symlinkSync(beside('secret.md', 'secret'), inRoot('b.md'))
  await files.remove('c.md')
  expect((await files.read(['a.md', 'b.md'])).map(fateOf)).toEqual(['missing', 'outside-root'])
  ill('a.md', 'b.md', 'c.md')
  expect((await files.read(['a.md', 'b.md', 'c.md'])).map(fateOf)).toEqual(['io', 'io', 'io'])
})

test('one’s own write counts as seen, and its version is one to compare with', async () => {
  const { root } = temporaryWorkspace()
  const files = nodeFileSystem(root, { onFailure: 'last-good' })
  const { version } = await files.write('a.md', '1')
  const recover = ill('a.md')
  expect(await present(files, 'a.md')).toMatchObject({ text: '1', version, stale: true })
  recover()
  await files.append('a.md', '+')
  expect(await errorOf(files.write('a.md', '2', { ifVersion: version }))).toMatchObject({ code: 'conflict' })
  expect((await present(files, 'a.md')).text).toBe('1+')
})

test('a disk that hangs is not waited for where a text stands in', async () => {
  const { root } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B' })
  const files = nodeFileSystem(root, { io: 'async', onFailure: 'last-good' })
  await files.read(['a.md', 'b.md'])
  const recover = hanging('a.md')
  const reason = 'the store took longer than 900 ms'
  expect(await files.read(['a.md', 'b.md'])).toMatchObject([
    { text: 'A', stale: true, staleReason: reason },
    { text: 'B', stale: true, staleReason: reason },
  ])
  recover()
  expect(await present(files, 'a.md')).not.toHaveProperty('stale')
})

test('with a time to count in, that is no failure', async () => {
  const { root, inRoot } = temporaryWorkspace({ 'a.md': 'A' })
  fs.writeFileSync(inRoot('long.md'), 'x'.repeat(66 * 2 ** 20))
  onTestFinished(() => fs.rmSync(inRoot('long.md'), { force: true }))
  const files = nodeFileSystem(root, { io: 'async', onFailure: 'last-good', countAll: { within: 20_000 } })
  await files.read(['a.md'])
  const [a, long] = await files.read(['a.md', 'long.md'])
  expect(a).toMatchObject({ text: 'A' })
  expect(a).not.toHaveProperty('stale')
  expect(long).toMatchObject({ state: 'present', length: 66 * 2 ** 20 })
  expect(long).not.toHaveProperty('approximate')
})

test.each(['keep', null, 7])('%j is no way to fail', (onFailure) => {
  expect(() => nodeFileSystem('.', { onFailure: onFailure as never })).toThrow(
    'onFailure must be one of report, last-good, not ',
  )
})
