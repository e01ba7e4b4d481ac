import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import type { NodeFileSystem } from '../../../src/adapters/node/node-file-system.js'
import { PromptError } from '../../../src/errors.js'
import { eachWay, openDescriptors, present, temporaryWorkspace } from './workspace.js'
import { beforeFirst, errorOf, everyCall, failing, intercept, systemError, treeOf } from './writing.js'

const codes = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE']

/** What a change may leave: all as it was, or all as it is to be. */
interface Scenario {
  readonly change: (files: NodeFileSystem) => Promise<unknown>
  /** Of the file that is changed. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly path: string
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'a replacement': {
    change: (files) => files.write('a.md', 'after'),
    before: 'before',
    after: 'after',
    path: 'a.md',
  },
  'a compared replacement': {
    change: (files) => files.write('a.md', 'after', { ifVersion: createHash('sha256').update('before').digest('hex') }),
    before: 'before',
    after: 'after',
    path: 'a.md',
  },
  'a new file in new folders': {
    change: (files) => files.write('x/y/b.md', 'after', { ifVersion: null }),
    before: undefined,
    after: 'after',
    path: 'x/y/b.md',
  },
  'an addition': {
    change: (files) => files.append('a.md', ' and after'),
    before: 'before',
    after: 'before and after',
    path: 'a.md',
  },
  'an addition to a file with another name': {
    change: (files) => files.append('hard.md', ' and after'),
    before: 'shared',
    after: 'shared and after',
    path: 'hard.md',
  },
  'a removal': { change: (files) => files.remove('a.md'), before: 'before', after: undefined, path: 'a.md' },
}

describe.each([eachWay[0], eachWay[4]].flatMap((way) => (way ? [way] : [])))(
  '%s: a fault at each call',
  (way, open) => {
    test.each(Object.entries(scenarios))('%s: old or new, a typed error, nothing left behind', async (_, scenario) => {
      const { change, before, after, path } = scenario
      const { folder, root, inRoot, put, beside } = temporaryWorkspace()
      const descriptors = openDescriptors()
      const other = beside('other.md', 'shared')
      let faults = 0
      // By path the calls are others; what an error says of them is the same.
      for (const code of way.endsWith('by path') ? codes.slice(2, 3) : codes) {
        for (let at = 1, isDone = false; !isDone; at++) {
          fs.rmSync(root, { recursive: true })
          put('a.md', 'before')
          fs.linkSync(other, inRoot('hard.md'))
          const files = open(root)
          const { version } = await present(files, 'a.md')
          let calls = 0
          const putBack = intercept(everyCall, (name, original) => (...args) => {
            if (++calls !== at) return original(...args)
            // What is closed with an error is closed.
            if (name === 'close') fs.closeSync(Number(args[0]))
            return failing(name, code)(...args)
          })
          const error = await change(files).then(
            () => undefined,
            (error: unknown) => error,
          )
          putBack()
          isDone = calls < at
          const where = `${code} at call ${at}`
          const tree = treeOf(root)
          if (error === undefined) expect(tree[path], where).toBe(after)
          else expect([before, after], where).toContain(tree[path])
          if (error !== undefined) {
            if (!(error instanceof PromptError)) throw error
            expect(error, where).toMatchObject({ code: 'io', data: { path, code }, cause: { code } })
            expect(error.message, where).toContain(code)
            faults++
          }
          expect(
            Object.keys(tree).filter((name) => !['a.md', 'hard.md', 'x', 'x/y', 'x/y/b.md'].includes(name)),
          ).toEqual([])
          expect(fs.readFileSync(`${folder}/other.md`, 'utf8')).toBe('shared')
          if (path !== 'a.md') expect((await present(files, 'a.md')).version).toBe(version)
        }
      }
      expect(faults).toBeGreaterThan(9)
      expect(openDescriptors()).toBe(descriptors)
    })
  },
)

describe.each(eachWay)('%s: a disk', (_, open) => {
  test('that takes a few bytes at a time', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'before' })
    intercept(
      ['write'],
      (_, original) =>
        (fd, from, ...rest) =>
          original(fd, (from as Uint8Array).subarray(0, 3), ...rest),
    )
    const files = open(root)
    const text = '你好 '.repeat(50)
    expect((await files.write('a.md', text)).text).toBe(text)
    await files.append('a.md', text)
    expect(treeOf(root)).toEqual({ 'a.md': text + text })
  })

  test.each(['ENOSPC', 'EIO'])('that fails with %s after a few bytes', async (code) => {
    const { root } = temporaryWorkspace({ 'a.md': 'before' })
    let writes = 0
    intercept(['write'], (name, original) => (fd, from, ...rest) => {
      if (writes++ % 2 === 1) return failing(name, code)(fd, from, ...rest)
      return original(fd, (from as Uint8Array).subarray(0, 3), ...rest)
    })
    const files = open(root)
    for (const options of [{}, { ifVersion: (await present(files, 'a.md')).version }]) {
      const error = await errorOf(files.write('a.md', 'a longer text', options))
      expect(error).toMatchObject({ code: 'io', data: { path: 'a.md', operation: 'write', code }, cause: { code } })
      expect(treeOf(root)).toEqual({ 'a.md': 'before' })
    }
    const error = await errorOf(files.append('a.md', ' and more'))
    expect(error).toMatchObject({ code: 'io', data: { operation: 'append', code, written: 3 } })
    expect(error.message).toContain('3 of 9 bytes were added before, and stay')
    expect(treeOf(root)).toEqual({ 'a.md': 'before an' })
  })

  test('that says it took all and did not, or took nothing and does not say why', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'before' })
    const say =
      (count: number) =>
      () =>
      (...args: unknown[]) =>
        (args.at(-1) as (error: unknown, count: number) => void)(null, count)
    const putBack = intercept(['write'], say(5))
    const lost = await errorOf(open(root).write('a.md', 'after'))
    expect(lost.message).toBe('"a.md" could not be written: of its 5 bytes the disk took 0.')
    putBack()
    intercept(['write'], say(0))
    const nothing = await errorOf(open(root).write('a.md', 'after'))
    expect(nothing.message).toContain('wrote nothing')
    expect(treeOf(root)).toEqual({ 'a.md': 'before' })
  })

  test.each(['EPERM', 'EOPNOTSUPP', 'ENOSYS'])('without hard links (%s)', async (code) => {
    const { root, inRoot } = temporaryWorkspace()
    intercept(['link', 'linkSync'], (name) => failing(name, code))
    const files = open(root)
    const written = await files.write('a.md', 'A', { ifVersion: null })
    expect(await present(files, 'a.md')).toBe(written)
    expect((await errorOf(files.write('a.md', 'B', { ifVersion: null }))).data).toMatchObject({
      current: written.version,
    })
    await files.append('b.md', 'B')
    beforeFirst(['rename', 'renameSync'], () => fs.writeFileSync(inRoot('c.md'), 'theirs'))
    const texts = ['1', '2', '3'].map((text) => files.write('d.md', text, { ifVersion: null }))
    const outcomes = await Promise.allSettled(texts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    intercept(['rename', 'renameSync'], (name) => failing(name, 'EIO'))
    expect(await errorOf(files.write('e.md', 'E', { ifVersion: null }))).toMatchObject({ data: { code: 'EIO' } })
    const { 'd.md': d, ...rest } = treeOf(root)
    expect(rest).toEqual({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'theirs' })
    expect(d).toMatch(/^[123]$/)
  })

  test('without hard links: what somebody writes into the reserved name stays', async () => {
    const { root, inRoot } = temporaryWorkspace()
    intercept(['link', 'linkSync'], (name) => failing(name, 'EPERM'))
    // The second file that is made is the reserved one.
    let made = 0
    for (const name of ['close']) {
      intercept([name], (_, original) => (...args) => {
        if (fs.existsSync(inRoot('a.md')) && made++ === 0) fs.writeFileSync(inRoot('a.md'), 'theirs')
        return original(...args)
      })
    }
    expect(await errorOf(open(root).write('a.md', 'mine', { ifVersion: null }))).toMatchObject({ code: 'conflict' })
    expect(treeOf(root)).toEqual({ 'a.md': 'theirs' })
  })
})

test('no call of a change blocks, and the file is on the disk before it has its name', async () => {
  const { root } = temporaryWorkspace({ 'a.md': 'before' })
  const order: string[] = []
  const blocking = ['lstat', 'stat', 'open', 'fstat', 'read', 'close', 'rename', 'link', 'unlink', 'mkdir', 'readlink']
  intercept(
    blocking.map((name) => `${name}Sync`),
    (name, original) =>
      (...args) => {
        order.push(name)
        return original(...args)
      },
  )
  intercept(['write', 'fsync', 'rename', 'link'], (name, original) => (...args) => {
    order.push(name)
    return original(...args)
  })
  const files = nodeFileSystem(root, { io: 'async' })
  const steps = async (change: () => Promise<unknown>) => {
    order.length = 0
    await change()
    return order.join(' ')
  }
  if (process.platform === 'linux') {
    // The first renaming of each puts the lock in its place.
    expect(await steps(() => files.write('a.md', 'after'))).toBe('rename write fsync rename fsync')
    expect(await steps(() => files.write('b.md', '', { ifVersion: null }))).toBe('rename fsync link fsync')
    expect(await steps(() => files.append('a.md', 'x'))).toBe('rename write fsync')
    expect(await steps(() => files.append('c.md', 'x'))).toBe('rename write fsync link fsync')
    const [known] = await files.read(['a.md'])
    const ifVersion = known?.state === 'present' ? known.version : null
    // What looks and what replaces must have nothing between them.
    const compared = 'rename write fsync link lstatSync renameSync fsync'
    expect(await steps(() => files.write('a.md', 'other', { ifVersion }))).toBe(compared)
    expect(await steps(() => files.remove('c.md'))).toBe('rename fsync')
  }
})

test('a folder that cannot be synced is no fault', async () => {
  const { root } = temporaryWorkspace({ 'a.md': 'before' })
  let calls = 0
  intercept(['fsync'], (name, original) => (...args) => {
    return ++calls % 2 === 0 ? failing(name, 'EINVAL')(...args) : original(...args)
  })
  expect((await nodeFileSystem(root).write('a.md', 'after')).text).toBe('after')
  expect(calls).toBe(2)
})

test('on Windows a file that is being read is replaced a moment later', async () => {
  const { root } = temporaryWorkspace({ 'a.md': 'before' })
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform))
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
  let calls = 0
  const isLock = (path: unknown) => String(path).endsWith('.soulprompt-lock')
  intercept(['renameSync'], (_, original) => (...args) => {
    if (!isLock(args[1]) && ++calls < 3) throw systemError('EPERM')
    return original(...args)
  })
  const files = nodeFileSystem(root)
  expect((await files.write('a.md', 'after')).text).toBe('after')
  expect(calls).toBe(3)
  intercept(['renameSync'], (name, original) => (...args) => {
    return isLock(args[1]) ? original(...args) : failing(name, 'EBUSY')(...args)
  })
  expect(await errorOf(files.write('a.md', 'again'))).toMatchObject({ code: 'io', data: { code: 'EBUSY' } })
  expect(treeOf(root)).toEqual({ 'a.md': 'after' })
})
