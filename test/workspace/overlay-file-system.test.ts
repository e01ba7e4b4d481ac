import { memoryFileSystem, overlayFileSystem, PromptError } from 'soulprompt'
import { describe, expect, it } from 'vitest'
import type { FileSnapshot, FileSystem } from '../../src/ports/file-system.js'
import { empty, failure, fate, fates, present, twoRoots } from './stores.js'

describe('reading', () => {
  it('gives each file of the first root that has it, and asks a root only for what is missing above it', async () => {
    const { files, asked } = twoRoots({ 'SOUL.md': 'own' }, { 'SOUL.md': 'shared', 'AGENTS.md': 'shared' })
    expect(await fates(files, 'AGENTS.md', 'SOUL.md', 'USER.md', 'SOUL.md')).toEqual([
      'shared',
      'own',
      'missing',
      'own',
    ])
    expect(asked).toEqual([
      ['own', 'AGENTS.md', 'SOUL.md', 'USER.md'],
      ['shared', 'AGENTS.md', 'USER.md'],
    ])
    asked.length = 0
    await files.read(['SOUL.md'])
    expect(asked).toEqual([['own', 'SOUL.md']])
    asked.length = 0
    expect(await files.read([])).toEqual([])
    expect(asked).toEqual([])
  })

  it('names the root in versions and ids', async () => {
    const snapshot = { state: 'present', text: 'A', length: 1, version: 'v', id: 'i' } as const
    const one = (name: string, has: string): FileSystem => ({
      name,
      read: async (paths) => paths.map((path) => (path === has ? { ...snapshot, path } : { state: 'missing', path })),
    })
    const files = overlayFileSystem([one('a', 'a.md'), one('b', 'b.md'), one('c', 'c.md')])
    const readings = (await files.read(['a.md', 'b.md', 'c.md'])) as readonly FileSnapshot[]
    expect(readings.map(({ version, id }) => [version, id])).toEqual([
      ['0:v', '0:i'],
      ['1:v', '1:i'],
      ['2:v', '2:i'],
    ])
    expect(files.name).toBe('overlay(a, b, c)')
  })

  it('gives the very same frozen snapshot for as long as the root does', async () => {
    const { files, first, second } = twoRoots({ 'a.md': 'A' }, { 'b.md': 'B' })
    const before = await files.read(['a.md', 'b.md'])
    const after = await files.read(['b.md', 'a.md'])
    expect(after[1]).toBe(before[0])
    expect(after[0]).toBe(before[1])
    expect(before.every(Object.isFrozen)).toBe(true)
    await second.write('b.md', 'C')
    const [a, b] = await files.read(['a.md', 'b.md'])
    expect(a).toBe(before[0])
    expect(fate(b)).toBe('C')
    expect((await first.read(['a.md']))[0]).not.toBe(before[0])
  })

  it('reads a store anew that reuses its objects', async () => {
    const reading = { state: 'present' as const, path: 'a.md', text: 'A', length: 1, version: '1' }
    const files = overlayFileSystem([{ name: 'reusing', read: async () => [reading] }])
    const before = await present(files, 'a.md')
    Object.assign(reading, { text: 'B', version: '2' })
    expect(await present(files, 'a.md')).toMatchObject({ text: 'B', version: '0:2' })
    expect(before.text).toBe('A')
  })

  it('keeps what a snapshot says besides', async () => {
    const modifiedAt = new Date('2026-02-16T18:00:00Z')
    const rest = { gap: { at: 1 }, length: 9, approximate: true, lossy: true, stale: true, modifiedAt } as const
    const root: FileSystem = {
      name: 'r',
      read: async () => [{ state: 'present', path: 'a.md', text: 'AB', version: 'v', ...rest }],
    }
    expect(await present(overlayFileSystem([root]), 'a.md')).toMatchObject(rest)
  })

  it.each([
    ['throws', () => Promise.reject(new Error('kaput')), 'kaput'],
    ['answers nothing', async () => undefined, 'gave no answer'],
    ['answers too little', async () => [], 'gave no answer'],
    ['answers with nonsense', async () => [null, 7], 'gave no answer'],
    ['answers with another path', async () => [{ state: 'missing', path: 'other.md' }], 'gave no answer'],
    ['answers with a state that is none', async () => [{ state: 'absent', path: 'SOUL.md' }], 'gave no answer'],
    ['gives no text', async () => [{ state: 'present', path: 'SOUL.md', version: '1' }], 'undefined for its text'],
    [
      'throws where it is not awaited',
      () => {
        throw new Error('kaput')
      },
      'kaput',
    ],
  ])('a root that %s does not let a lower one stand in for it', async (_, read, detail) => {
    const broken: FileSystem = { name: 'broken', read: read as never }
    const files = overlayFileSystem([broken, memoryFileSystem({ 'SOUL.md': 'shared' })])
    const [reading] = await files.read(['SOUL.md'])
    expect(reading).toMatchObject({ state: 'unreadable', path: 'SOUL.md', reason: 'io' })
    expect(JSON.stringify(reading)).toContain(detail)
  })

  it('says which root failed and why, and keeps the cause', async () => {
    const cause = new Error('kaput')
    const files = overlayFileSystem([
      memoryFileSystem({ 'a.md': 'A' }),
      { name: 'far', read: () => Promise.reject(cause) },
    ])
    const [a, b] = await files.read(['a.md', 'b.md'])
    expect(fate(a)).toBe('A')
    expect(b).toEqual({ state: 'unreadable', path: 'b.md', reason: 'io', detail: 'far failed: kaput', cause })
  })

  it('matches answers by path where a root gives them in another order', async () => {
    const inner = memoryFileSystem({ 'a.md': 'A', 'b.md': 'B' })
    const reversed: FileSystem = { name: 'reversed', read: async (paths) => [...(await inner.read(paths))].reverse() }
    expect(await fates(overlayFileSystem([reversed, empty]), 'a.md', 'none.md', 'b.md')).toEqual(['A', 'missing', 'B'])
  })

  it('hands on what a root says of an unreadable file', async () => {
    const reading = { state: 'unreadable', path: 'SOUL.md', reason: 'permission', cause: new Error('EACCES') } as const
    const files = overlayFileSystem([
      { name: 'own', read: async () => [reading] },
      memoryFileSystem({ 'SOUL.md': 'shared' }),
    ])
    expect((await files.read(['SOUL.md']))[0]).toEqual(reading)
  })

  it('hands on copies of what a root may still change', async () => {
    const gone = { state: 'missing' as const, path: 'a.md' }
    const shut = { state: 'unreadable' as const, path: 'b.md', reason: 'io' as const, detail: 'kaput' }
    const files = overlayFileSystem([{ name: 'reusing', read: async () => [gone, shut] }])
    const readings = await files.read(['a.md', 'b.md'])
    Object.assign(gone, { state: 'present' })
    Object.assign(shut, { detail: 'fine' })
    expect(readings).toEqual([
      { state: 'missing', path: 'a.md' },
      { state: 'unreadable', path: 'b.md', reason: 'io', detail: 'kaput' },
    ])
    expect(readings.every(Object.isFrozen)).toBe(true)
    const failing = overlayFileSystem([{ name: 'far', read: () => Promise.reject(new Error('kaput')) }])
    expect((await failing.read(['a.md'])).every(Object.isFrozen)).toBe(true)
  })

  it.each([0, 1])(
    'rejects with the reason of its signal while root %i hangs, whether that heeds it or not',
    async (at) => {
      for (const heeds of [true, false]) {
        const controller = new AbortController()
        let started = () => {}
        const hanging = new Promise<void>((resolve) => {
          started = resolve
        })
        const stuck: FileSystem = {
          name: 'stuck',
          read: (_, options) =>
            new Promise((_, reject) => {
              if (heeds) options?.signal?.addEventListener('abort', () => reject(new Error('stopped')))
              started()
            }),
        }
        const roots = [empty, empty]
        roots[at] = stuck
        const outcome = failure(overlayFileSystem(roots).read(['a.md'], { signal: controller.signal }))
        await hanging
        controller.abort(new Error('enough'))
        expect(await outcome).toMatchObject({ message: 'enough' })
      }
      const { files, asked } = twoRoots({}, {})
      const signal = AbortSignal.abort(new Error('enough'))
      await expect(files.read(['a.md'], { signal })).rejects.toThrow('enough')
      await expect(files.list?.('', { signal })).rejects.toThrow('enough')
      expect(asked).toEqual([])
    },
  )

  it('hands its signal to each root', async () => {
    const signals: unknown[] = []
    const root: FileSystem = {
      ...empty,
      read: (paths, options) => {
        signals.push(options?.signal)
        return empty.read(paths)
      },
    }
    const { signal } = new AbortController()
    await overlayFileSystem([root, root]).read(['a.md'], { signal })
    expect(signals).toEqual([signal, signal])
  })
})

describe('listing', () => {
  it('gives the names of all roots once', async () => {
    const { files } = twoRoots({ 'memory/a.md': '', 'memory/b.md': '' }, { 'memory/b.md': '', 'memory/c.md': '' })
    expect([...((await files.list?.('memory')) ?? [])].sort()).toEqual(['a.md', 'b.md', 'c.md'])
    expect(await files.list?.('none')).toEqual([])
  })

  it('is there only if every root can list', () => {
    const { name, read } = memoryFileSystem()
    expect(overlayFileSystem([memoryFileSystem(), { name, read }]).list).toBeUndefined()
    expect(overlayFileSystem([{ name, read }, memoryFileSystem()]).list).toBeUndefined()
  })

  it('rejects if one root rejects, gives no names or hangs until the abort', async () => {
    const over = (list: unknown) => overlayFileSystem([memoryFileSystem(), { ...empty, list: list as never }])
    await expect(over(() => Promise.reject(new Error('kaput'))).list?.('memory')).rejects.toThrow('kaput')
    await expect(over(async () => 'a.md').list?.('memory')).rejects.toMatchObject({
      code: 'io',
      message: 'empty was to list the names in "memory" and gave "a.md".',
    })
    await expect(over(async () => [7]).list?.('memory')).rejects.toMatchObject({ code: 'io' })
    const controller = new AbortController()
    const outcome = failure(over(() => new Promise(() => {})).list?.('memory', { signal: controller.signal }))
    controller.abort(new Error('enough'))
    expect(await outcome).toMatchObject({ message: 'enough' })
    let calls = 0
    const counting = over(async () => [`${calls++}`])
    await expect(counting.list?.('memory', { signal: controller.signal })).rejects.toThrow('enough')
    expect(calls).toBe(0)
  })
})

describe('watching and closing', () => {
  const watching = (name: string, events: string[]) => {
    const listeners = new Set<(paths: readonly string[]) => void>()
    const files: FileSystem = {
      ...empty,
      name,
      watch(listener) {
        listeners.add(listener)
        return () => {
          listeners.delete(listener)
          events.push(`${name} stopped`)
        }
      },
    }
    const hint = (path: string) => {
      for (const listener of listeners) listener([path])
    }
    return { files, hint, listeners }
  }

  it('hears of all roots that give hints, until it stops', () => {
    const events: string[] = []
    const [a, b] = [watching('a', events), watching('b', events)]
    const files = overlayFileSystem([a.files, empty, b.files])
    const stop = files.watch?.((paths) => events.push(...paths))
    a.hint('x')
    b.hint('y')
    stop?.()
    stop?.()
    a.hint('z')
    expect(events).toEqual(['x', 'y', 'a stopped', 'b stopped'])
    expect(overlayFileSystem([empty, empty]).watch).toBeUndefined()
  })

  it('stops what it started when one root cannot be watched', () => {
    const events: string[] = []
    const a = watching('a', events)
    const broken: FileSystem = {
      ...empty,
      watch: () => {
        throw new Error('kaput')
      },
    }
    expect(() => overlayFileSystem([a.files, broken]).watch?.(() => {})).toThrow('kaput')
    expect(a.listeners.size).toBe(0)
  })

  it('stops and closes all of them and throws the first error', async () => {
    const events: string[] = []
    const failing = (name: string): FileSystem => ({
      ...empty,
      name,
      watch: () => () => {
        throw new Error(`${name} goes on`)
      },
      close: () => Promise.reject(new Error(`${name} stays open`)),
    })
    const last = watching('last', events)
    const close = async () => void events.push('last closed')
    const files = overlayFileSystem([empty, failing('a'), failing('b'), { ...last.files, close }])
    const stop = files.watch?.(() => {})
    expect(stop).toThrow('a goes on')
    await expect(files.close()).rejects.toThrow('a stays open')
    expect(events).toEqual(['last stopped', 'last closed'])
    await overlayFileSystem([empty]).close()
  })
})

describe('what it refuses', () => {
  it.each([
    [[], 'roots: expected at least one file system, got an empty list'],
    [undefined, 'roots: expected a list, got undefined'],
    [[empty, null], 'roots[1]: expected a file system (an object with name and read), got null'],
    [[{ name: 'x' }], 'roots[0]: expected a file system'],
    [[empty, 'here', { read: empty.read }], '2 problems'],
  ])('%j', (roots, message) => {
    const create = () => overlayFileSystem(roots as never)
    expect(create).toThrow(PromptError)
    expect(create).toThrow(message)
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })

  it('keeps nothing of the list it was given', async () => {
    const roots = [memoryFileSystem({ 'a.md': 'A' })]
    const files = overlayFileSystem(roots)
    roots.length = 0
    expect(await fates(files, 'a.md')).toEqual(['A'])
  })
})
