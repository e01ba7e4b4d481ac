import { describe, expect, onTestFinished, test } from 'vitest'
import { PromptError } from '../../src/errors.js'
import type { FileSnapshot } from '../../src/ports/file-system.js'
import { memoryFileSystem } from '../../src/workspace/memory-file-system.js'

const readOne = async (files: ReturnType<typeof memoryFileSystem>, path: string) =>
  (await files.read([path]))[0] as FileSnapshot

describe('memoryFileSystem', () => {
  test('has a name of its own or the one it is given', () => {
    expect(memoryFileSystem().name).toBe('memory')
    expect(memoryFileSystem({}, { name: 'fixture' }).name).toBe('fixture')
  })

  test('gives the very same snapshot for as long as a file is unchanged', async () => {
    const files = memoryFileSystem({ 'a.md': 'A', 'b.md': 'B' })
    const [a, b] = await files.read(['a.md', 'b.md'])
    await files.write('b.md', 'C')
    const [again, changed] = await files.read(['a.md', 'b.md'])
    expect(again).toBe(a)
    expect(changed).not.toBe(b)
    expect(Object.isFrozen(a)).toBe(true)
    expect(await files.write('a.md', 'A')).toBe(a)
    expect((await files.read(['a.md']))[0]).toBe(a)
    expect(await files.write('new.md', 'x')).toBe((await files.read(['new.md']))[0])
  })

  test('reads that run at once share one snapshot', async () => {
    const files = memoryFileSystem({ 'a.md': 'A' })
    const [one, two] = await Promise.all([readOne(files, 'a.md'), readOne(files, 'a.md')])
    expect(one).toBe(two)
  })

  test('hashes units: half pairs do not collide', async () => {
    const texts = ['\ud800', '\ud801', '\udc00', '\ufffd', '', '\0', 'a', '\u0061\u0000']
    const files = memoryFileSystem(Object.fromEntries(texts.map((text, index) => [`${index}.md`, text])))
    const versions = await Promise.all(texts.map(async (_, index) => (await readOne(files, `${index}.md`)).version))
    expect(new Set(versions).size).toBe(texts.length)
    for (const version of versions) expect(version).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is not changed by the object it was made of', async () => {
    const texts: Record<string, string> = { 'a.md': 'A' }
    const files = memoryFileSystem(texts)
    texts['a.md'] = 'B'
    expect((await readOne(files, 'a.md')).text).toBe('A')
  })

  test('says what is wrong with what it is given', () => {
    expect(() => memoryFileSystem({ '../a': '' })).toThrow(/"\.\.\/a" has the part "\.\."/)
    expect(() => memoryFileSystem({ 'a.md': 7 as unknown as string })).toThrow(/a\.md must be a string, not number/)
  })

  test('throws typed errors when it cannot write', async () => {
    const files = memoryFileSystem({ 'a.md': 'A' })
    const { version } = await readOne(files, 'a.md')
    const outcome = await files.write('./a.md', 'B', { ifVersion: 'other' }).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(PromptError)
    expect(outcome).toMatchObject({ code: 'conflict', data: { path: 'a.md', expected: 'other', current: version } })
    await expect(files.append('../a', 'x')).rejects.toMatchObject({ code: 'outside-root' })
    await expect(files.remove('/a')).rejects.toMatchObject({ code: 'outside-root' })
    await expect(files.list('..')).rejects.toMatchObject({ code: 'outside-root' })
  })

  test('compares and sets in one step, whatever is computed meanwhile', async () => {
    for (let round = 0; round < 50; round++) {
      const files = memoryFileSystem({ 'a.md': 'start' })
      const { version } = await readOne(memoryFileSystem({ 'a.md': 'start' }), 'a.md')
      const outcomes = await Promise.allSettled([
        files.write('a.md', 'one', { ifVersion: version }),
        files.write('a.md', 'two'.repeat(round), { ifVersion: version }),
        files.append('a.md', '!'),
        files.remove('a.md', { ifVersion: version }),
      ])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect((await readOne(files, 'a.md')).text).toBe('start!')
    }
  })

  test('lets one of several writes win whose common base was never read', async () => {
    for (let round = 0; round < 50; round++) {
      const { version } = await readOne(memoryFileSystem({ 'a.md': 'start' }), 'a.md')
      const files = memoryFileSystem({ 'a.md': 'start' })
      const texts = ['one', 'two'.repeat(round + 1), 'three']
      const outcomes = await Promise.allSettled(texts.map((text) => files.write('a.md', text, { ifVersion: version })))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test('lists the root, and nothing below what is asked for', async () => {
    const files = memoryFileSystem({ 'a.md': '', 'b/c.md': '', 'b/d/e.md': '' })
    expect(await files.list('')).toEqual(['a.md', 'b'])
    expect(await files.list('.')).toEqual(['a.md', 'b'])
    expect(await files.list('b')).toEqual(['c.md', 'd'])
    expect(await files.list('./b/d')).toEqual(['e.md'])
  })

  test('rejects with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    const files = memoryFileSystem()
    await expect(files.read(['a.md'], { signal })).rejects.toThrow('enough')
    await expect(files.list('', { signal })).rejects.toThrow('enough')
  })

  test('goes on after close', async () => {
    const files = memoryFileSystem({ 'a.md': 'A' })
    await files.close()
    expect((await readOne(files, 'a.md')).text).toBe('A')
  })
})

describe('memoryFileSystem: watch', () => {
  /** Until what was told in microtasks has been heard. */
  const told = () => new Promise(setImmediate)

  test('tells what was changed, once each, sorted, after the call that changed it', async () => {
    const files = memoryFileSystem({ 'a.md': 'A', 'b.md': 'B' })
    const batches: (readonly string[])[] = []
    files.watch((paths) => void batches.push(paths))
    const appended = [files.append('./z.md', '1'), files.append('a.md', '2'), files.append('z.md', '3')]
    expect(batches).toEqual([])
    await Promise.all(appended)
    await told()
    expect(batches).toEqual([['a.md', 'z.md']])
    expect(Object.isFrozen(batches[0])).toBe(true)
    await files.write('new.md', 'N', { ifVersion: null })
    await told()
    await files.remove('b.md')
    await told()
    expect(batches.slice(1)).toEqual([['new.md'], ['b.md']])
  })

  test('tells nothing of what stayed as it was', async () => {
    const files = memoryFileSystem({ 'a.md': 'A', 'empty.md': '' })
    const batches: (readonly string[])[] = []
    files.watch((paths) => void batches.push(paths))
    await files.write('a.md', 'A')
    await files.append('a.md', '')
    await files.append('empty.md', '')
    await files.remove('none.md')
    await files.write('a.md', 'B', { ifVersion: 'other' }).catch(() => {})
    await files.read(['a.md'])
    await files.write('a.md', 'A')
    await told()
    expect(batches).toEqual([])
    await files.append('created.md', '')
    await told()
    expect(batches).toEqual([['created.md']])
  })

  test('tells nothing after stop or close, not even what was changed before', async () => {
    const files = memoryFileSystem()
    const calls: string[] = []
    const count = (paths: readonly string[]) => void calls.push(...paths)
    const stops = [files.watch(count), files.watch(count)]
    void files.append('a.md', 'A')
    stops[0]?.()
    stops[0]?.()
    await told()
    expect(calls).toEqual(['a.md'])
    void files.append('a.md', 'B')
    await files.close()
    await told()
    expect(calls).toEqual(['a.md'])
    files.watch(count)
    await files.append('b.md', 'B')
    await told()
    expect(calls).toEqual(['a.md', 'b.md'])
  })

  test('a listener that throws breaks no write and no other listener, and is not passed over in silence', async () => {
    const files = memoryFileSystem()
    const calls: string[] = []
    const rejections: unknown[] = []
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    const add = (reason: unknown) => void rejections.push(reason)
    process.on('unhandledRejection', add)
    onTestFinished(() => {
      process.off('unhandledRejection', add)
      for (const other of others) process.on('unhandledRejection', other)
    })
    files.watch(() => {
      throw new Error('listener broke')
    })
    files.watch((paths) => void calls.push(...paths))
    for (const text of ['one', 'two']) expect((await files.write('a.md', text)).text).toBe(text)
    await told()
    await told()
    expect(calls).toEqual(['a.md', 'a.md'])
    expect(rejections).toEqual([new Error('listener broke'), new Error('listener broke')])
  })
})
