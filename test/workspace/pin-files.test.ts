import {
  buildSystemPrompt,
  defineAgent,
  memoryFileSystem,
  overlayFileSystem,
  type PinnedFileSystem,
  PromptError,
  pinFiles,
} from 'soulprompt'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { FileReading, FileSystem } from '../../src/ports/file-system.js'
import { empty, failure, fate, fates, present, slow, sorted, watched } from './stores.js'

describe('what was first seen', () => {
  it('stays, be it there, missing or deleted, until it is refreshed', async () => {
    const { live, pinned } = watched({ 'a.md': 'A', 'b.md': 'B' })
    expect(await fates(pinned, 'a.md', 'b.md', 'c.md')).toEqual(['A', 'B', 'missing'])
    const [before] = await pinned.read(['a.md'])
    await live.write('a.md', 'changed')
    await live.remove('b.md')
    await live.write('c.md', 'new')
    expect(await fates(pinned, 'a.md', 'b.md', 'c.md')).toEqual(['A', 'B', 'missing'])
    expect((await pinned.read(['a.md']))[0]).toBe(before)
    pinned.refresh()
    expect(await fates(pinned, 'a.md', 'b.md', 'c.md')).toEqual(['changed', 'missing', 'new'])
  })

  it('is not asked for again: only the rest, in one call, and nothing where there is none', async () => {
    const { pinned, asked } = watched({ 'a.md': 'A', 'b.md': 'B' })
    await pinned.read(['b.md', 'b.md'])
    await pinned.read(['a.md', 'b.md', 'c.md', './a.md'])
    await pinned.read(['c.md', 'a.md', 'b.md'])
    expect(await pinned.read([])).toEqual([])
    expect(asked).toEqual([['b.md'], ['a.md', 'c.md']])
  })

  it('is the same file under "./NAME", under the name asked for', async () => {
    const { live, pinned } = watched({ 'a.md': 'A' })
    expect(await present(pinned, './a.md')).toMatchObject({ path: './a.md', text: 'A' })
    await live.write('a.md', 'B')
    expect(await present(pinned, 'a.md')).toMatchObject({ path: 'a.md', text: 'A' })
  })

  it('is the store’s own snapshot where that is frozen, else a copy that the store cannot change', async () => {
    const { live, pinned } = watched({ 'a.md': 'A' })
    expect((await pinned.read(['a.md']))[0]).toBe((await live.read(['a.md']))[0])
    const reused = { state: 'present' as const, path: 'a.md', text: 'A', length: 1, version: '1', gap: { at: 0 } }
    const gone = { state: 'missing' as const, path: 'b.md' }
    const reusing = pinFiles({ name: 'reusing', read: async () => [reused, gone] })
    const before = await reusing.read(['a.md', 'b.md'])
    Object.assign(reused, { text: 'B', version: '2' }).gap.at = 1
    Object.assign(gone, { state: 'unreadable' })
    const after = await reusing.read(['a.md', 'b.md'])
    expect(after[0]).toBe(before[0])
    expect(after[0]).toMatchObject({ text: 'A', version: '1', gap: { at: 0 } })
    expect(after[1]).toEqual({ state: 'missing', path: 'b.md' })
    expect(after.every(Object.isFrozen)).toBe(true)
  })

  it('are listings too, as a copy', async () => {
    const names = ['a.md']
    let calls = 0
    const list = async () => {
      calls++
      return names
    }
    const pinned = pinFiles({ ...memoryFileSystem(), list })
    const before = await pinned.list?.('memory')
    names.push('b.md')
    expect(await pinned.list?.('./memory')).toBe(before)
    expect(before).toEqual(['a.md'])
    expect(Object.isFrozen(before)).toBe(true)
    expect(calls).toBe(1)
    await pinned.list?.('')
    await pinned.list?.('.')
    expect(calls).toBe(2)
  })
})

describe('a fault', () => {
  const present: FileReading = { state: 'present', path: 'SOUL.md', text: 'dry', length: 3, version: '1' }
  const faults: readonly [string, () => unknown][] = [
    ['an unreadable reading', () => [{ state: 'unreadable', path: 'SOUL.md', reason: 'io' }]],
    ['an older text, because the store failed', () => [{ ...present, text: 'old', stale: true }]],
    ['no answer', () => []],
    ['nonsense', () => [{ ...present, text: 7 }]],
    ['no list', () => 'nothing'],
    ['a rejection', () => Promise.reject(new Error('down'))],
  ]
  it.each(faults)('is never kept: %s', async (_, fault) => {
    let failing = true
    const read = async () => (failing ? fault() : [present]) as readonly FileReading[]
    const pinned = pinFiles({ name: 'weak', read })
    for (let round = 0; round < 2; round++) {
      const outcome = await pinned.read(['SOUL.md']).catch((error: Error) => error.message)
      expect(typeof outcome === 'string' ? outcome : fate(outcome[0])).toMatch(/^(io|old|down)$/)
    }
    failing = false
    expect(await fates(pinned, 'SOUL.md')).toEqual(['dry'])
    failing = true
    expect(await fates(pinned, 'SOUL.md')).toEqual(['dry'])
  })

  it('of a listing is never kept either', async () => {
    let answer: () => Promise<unknown> = () => Promise.reject(new Error('down'))
    const pinned = pinFiles({ ...memoryFileSystem(), list: () => answer() as never })
    await expect(pinned.list?.('memory')).rejects.toThrow('down')
    answer = async () => 'nothing'
    expect(await pinned.list?.('memory')).toBe('nothing')
    answer = async () => ['a.md']
    expect(await pinned.list?.('memory')).toEqual(['a.md'])
  })

  it('of one file leaves the others pinned', async () => {
    const { live, pinned, asked } = watched({ 'a.md': 'A' })
    expect(await fates(pinned, 'a.md', '../b')).toEqual(['A', 'outside-root'])
    await live.write('a.md', 'B')
    expect(await fates(pinned, 'a.md', '../b')).toEqual(['A', 'outside-root'])
    expect(asked).toEqual([['a.md', '../b'], ['../b']])
  })

  it('is an abort as well, even where nothing is left to ask', async () => {
    const { pinned } = watched({ 'a.md': 'A' })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(pinned.read(['a.md'], { signal })).rejects.toThrow('enough')
    await fates(pinned, 'a.md')
    await pinned.list?.('')
    await expect(pinned.read(['a.md'], { signal })).rejects.toThrow('enough')
    await expect(pinned.list?.('', { signal })).rejects.toThrow('enough')
  })

  it('is heard of by the store through the signal', async () => {
    const signals: unknown[] = []
    const { signal } = new AbortController()
    const live = memoryFileSystem()
    const pinned = pinFiles({
      ...live,
      read: (paths, options) => {
        signals.push(options?.signal)
        return live.read(paths)
      },
      list: async (_, options) => {
        signals.push(options?.signal)
        return []
      },
    })
    await pinned.read(['a.md'], { signal })
    await pinned.list?.('', { signal })
    expect(signals).toEqual([signal, signal])
  })
})

describe('refresh', () => {
  it('forgets the files it is given and the listings of their folders', async () => {
    const { live, pinned } = watched({ 'a.md': '1', 'b.md': '1', 'memory/c.md': '1' })
    await pinned.read(['a.md', 'b.md', 'memory/c.md'])
    await pinned.list?.('')
    await pinned.list?.('memory')
    for (const path of ['a.md', 'b.md', 'memory/c.md', 'memory/d.md', 'e.md']) await live.write(path, '2')
    pinned.refresh(['./a.md'])
    expect(await fates(pinned, 'a.md', 'b.md', 'memory/c.md')).toEqual(['2', '1', '1'])
    expect(await sorted(pinned.list?.(''))).toEqual(['a.md', 'b.md', 'e.md', 'memory'])
    expect(await pinned.list?.('memory')).toEqual(['c.md'])
    pinned.refresh(['memory/c.md'])
    expect(await fates(pinned, 'b.md', 'memory/c.md')).toEqual(['1', '2'])
    expect(await sorted(pinned.list?.('memory'))).toEqual(['c.md', 'd.md'])
    pinned.refresh([])
    expect(await fates(pinned, 'b.md')).toEqual(['1'])
  })

  it.each(['memory', './memory', 'memory/'])('of the folder %s takes its listing and all below it', async (folder) => {
    const { live, pinned } = watched({
      'memory.md': '1',
      'memory/a.md': '1',
      'memory/old/b.md': '1',
      'memory-2/c.md': '1',
    })
    const paths = ['memory.md', 'memory/a.md', 'memory/old/b.md', 'memory-2/c.md']
    await pinned.read(paths)
    await pinned.list?.('memory')
    await pinned.list?.('memory/old')
    for (const path of [...paths, 'memory/d.md', 'memory/old/e.md']) await live.write(path, '2')
    pinned.refresh([folder])
    expect(await fates(pinned, ...paths)).toEqual(['1', '2', '2', '1'])
    expect(await sorted(pinned.list?.('memory'))).toEqual(['a.md', 'd.md', 'old'])
    expect(await sorted(pinned.list?.('memory/old'))).toEqual(['b.md', 'e.md'])
  })

  it.each(['', '.', './'])('of the workspace itself, %j, is that of everything', async (root) => {
    const { live, pinned } = watched({ 'a.md': '1', 'memory/b.md': '1' })
    await pinned.read(['a.md', 'memory/b.md'])
    for (const path of ['a.md', 'memory/b.md']) await live.write(path, '2')
    pinned.refresh([root])
    expect(await fates(pinned, 'a.md', 'memory/b.md')).toEqual(['2', '2'])
  })

  it('refuses what is no list of paths', () => {
    const { pinned } = watched()
    for (const paths of ['SOUL.md', [7], null]) {
      expect(() => pinned.refresh(paths as never)).toThrow(/refresh: paths: expected a list of paths, got /)
      expect(() => pinned.refresh(paths as never)).toThrow(PromptError)
    }
  })
})

describe('one’s own writes', () => {
  it('are seen, and so is the listing of the folder', async () => {
    const { live, pinned } = watched({ 'a.md': '1', 'b.md': '1' })
    await pinned.read(['a.md', 'b.md', 'log/c.md'])
    await pinned.list?.('')
    await pinned.list?.('log')
    await live.write('b.md', '2')
    const { version } = await present(pinned, 'a.md')
    const written = await pinned.write?.('./a.md', '2', { ifVersion: version })
    expect(await present(pinned, 'a.md')).toBe(written)
    await pinned.append?.('log/c.md', 'x')
    expect(await fates(pinned, 'a.md', 'b.md', 'log/c.md')).toEqual(['2', '1', 'x'])
    expect(await pinned.list?.('log')).toEqual(['c.md'])
    expect(await sorted(pinned.list?.(''))).toEqual(['a.md', 'b.md', 'log'])
    await pinned.remove?.('a.md')
    expect(await fates(pinned, 'a.md')).toEqual(['missing'])
    expect(await sorted(pinned.list?.(''))).toEqual(['b.md', 'log'])
  })

  it('unpin on failure too, so that a conflict is followed by what it was with', async () => {
    const { live, pinned } = watched({ 'a.md': '1' })
    const { version } = await present(pinned, 'a.md')
    const { version: current } = await live.write('a.md', '2')
    const conflict = { code: 'conflict', data: { path: 'a.md', expected: version, current } }
    expect(await failure(pinned.write?.('a.md', '3', { ifVersion: version }))).toMatchObject(conflict)
    expect(await fates(pinned, 'a.md')).toEqual(['2'])
    await live.write('a.md', '4')
    expect(await failure(pinned.remove?.('a.md', { ifVersion: version }))).toMatchObject({ code: 'conflict' })
    expect(await fates(pinned, 'a.md')).toEqual(['4'])
    const throwing = pinFiles({
      ...live,
      append: () => {
        throw new Error('kaput')
      },
    })
    expect(await fates(throwing, 'a.md')).toEqual(['4'])
    await live.write('a.md', '5')
    expect(await failure(throwing.append?.('a.md', 'x'))).toMatchObject({ message: 'kaput' })
    expect(await fates(throwing, 'a.md')).toEqual(['5'])
  })

  it('are not undone by an answer that was asked for before them', async () => {
    const { pinned, answer } = slow({ 'a.md': 'old' })
    const early = fates(pinned, 'a.md')
    await pinned.write?.('a.md', 'new')
    answer(0)
    expect(await early).toEqual(['old'])
    const late = fates(pinned, 'a.md')
    answer(0)
    expect(await late).toEqual(['new'])
  })
})

describe('the store', () => {
  it('has its capabilities, and no others, under a name that says so', async () => {
    const { name, read } = memoryFileSystem()
    expect(Object.keys(pinFiles({ name, read })).sort()).toEqual(['name', 'read', 'refresh'])
    const events: string[] = []
    const store: FileSystem = {
      ...memoryFileSystem(),
      watch: (listener) => {
        listener(['a.md'])
        return () => void events.push('stopped')
      },
      close: async () => void events.push('closed'),
    }
    const pinned = pinFiles(store)
    expect(pinned.name).toBe('pinned(memory)')
    expect(Object.keys(pinned).sort()).toEqual([...Object.keys(store), 'refresh'].sort())
    pinned.watch?.((paths) => events.push(...paths))()
    await pinned.close?.()
    expect(events).toEqual(['a.md', 'stopped', 'closed'])
  })

  it('has them by its type where that says so', async () => {
    const pinned = pinFiles(memoryFileSystem())
    expectTypeOf(pinned).toExtend<FileSystem>()
    expectTypeOf(pinned).toExtend<PinnedFileSystem>()
    await pinned.write('a.md', 'A')
    expect(await pinned.list('')).toEqual(['a.md'])
    await pinFiles(overlayFileSystem([memoryFileSystem(), empty])).append('a.md', 'A')
    const any: FileSystem = memoryFileSystem()
    // @ts-expect-error it need not be able to write
    await pinFiles(any).write('a.md', 'A')
    expectTypeOf(pinFiles(any).write).toEqualTypeOf<FileSystem['write']>()
    expectTypeOf(pinFiles(any).refresh).toBeFunction()
  })

  it.each([[undefined], ['a.md'], [null]])('that lists %j is heard to fail', async (names) => {
    const pinned = pinFiles({ ...memoryFileSystem(), list: async () => names as never })
    expect(await pinned.list('memory')).toBe(names)
    const { diagnostics } = await buildSystemPrompt(defineAgent({ files: pinned }))
    expect(diagnostics.map(({ code }) => code)).toContain('list-failed')
  })

  it('may be an object of a class', async () => {
    class Store implements FileSystem {
      readonly name = 'store'
      readonly #live = memoryFileSystem({ 'a.md': 'A' })
      read(paths: readonly string[]) {
        return this.#live.read(paths)
      }
      list(directory: string) {
        return this.#live.list(directory)
      }
      write(path: string, text: string) {
        return this.#live.write(path, text)
      }
      append(path: string, text: string) {
        return this.#live.append(path, text)
      }
      remove(path: string) {
        return this.#live.remove(path)
      }
      close() {
        return this.#live.close()
      }
    }
    for (const files of [pinFiles(new Store()), overlayFileSystem([new Store()])]) {
      await files.write?.('b.md', 'B')
      await files.append?.('b.md', '!')
      await files.remove?.('a.md')
      expect(await fates(files, 'a.md', 'b.md')).toEqual(['missing', 'B!'])
      expect(await files.list?.('')).toEqual(['b.md'])
      await files.close?.()
    }
  })

  it.each([[undefined], [null], ['here'], [{ name: 'x' }], [{ read: () => [] }]])('must be one: %j', (files) => {
    expect(() => pinFiles(files as never)).toThrow(PromptError)
    expect(() => pinFiles(files as never)).toThrow('pinFiles: expected a file system (an object with name and read)')
  })
})
