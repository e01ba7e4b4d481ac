import fc from 'fast-check'
import {
  buildSystemPrompt,
  defineAgent,
  loadWorkspace,
  memoryFileSystem,
  overlayFileSystem,
  PromptError,
  pinFiles,
} from 'soulprompt'
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import type { FileReading, FileSystem, UnreadableReason } from '../../src/ports/file-system.js'
import { keepLastGood } from '../../src/workspace/keep-last-good.js'
import { failure, fate, fates, present } from './stores.js'

type Fault = 'none' | 'rejects' | 'hangs' | 'nonsense' | UnreadableReason

/** A store in memory that fails on demand: as a whole, or some of its files. */
function weakStore(texts: Readonly<Record<string, string>> = {}, within = 20) {
  const live = memoryFileSystem(texts)
  const state = { fault: 'none' as Fault, detail: 'the disk is ill', only: undefined as string | undefined }
  const hung: { readonly signal: AbortSignal | undefined; readonly answer: () => void }[] = []
  const store = {
    ...live,
    read: async (paths: readonly string[], options?: { readonly signal?: AbortSignal }) => {
      const { fault, detail, only } = state
      const readings = await live.read(paths)
      if (fault === 'rejects') throw new Error(detail)
      if (fault === 'nonsense') return readings.map(({ path }) => ({ state: 'present', path, text: 7 }) as never)
      if (fault === 'hangs') {
        return new Promise<readonly FileReading[]>((resolve) =>
          hung.push({ signal: options?.signal, answer: () => resolve(readings) }),
        )
      }
      if (fault === 'none') return readings
      const failed = (path: string): FileReading => ({ state: 'unreadable', path, reason: fault, detail })
      return readings.map((reading) => (only === undefined || reading.path === only ? failed(reading.path) : reading))
    },
  }
  const fail = (fault: Fault, more: Partial<typeof state> = {}) =>
    void Object.assign(state, { detail: 'the disk is ill', only: undefined, ...more, fault })
  return { live, store, fail, hung, files: keepLastGood(store, { within }) }
}

describe('a store that fails', () => {
  const faults = ['rejects', 'io', 'too-slow', 'hangs', 'nonsense'] as const
  it.each(faults)('%s: the last good text stands in, and is marked', async (fault) => {
    const { live, files, fail } = weakStore({ 'SOUL.md': 'dry' })
    const good = await present(files, 'SOUL.md')
    expect(good).toBe((await live.read(['SOUL.md']))[0])
    fail(fault)
    const stale = await present(files, 'SOUL.md')
    expect(stale).toEqual({ ...good, stale: true, staleReason: expect.stringMatching(/./) })
    expect(Object.isFrozen(stale)).toBe(true)
    fail('none')
    expect(await present(files, 'SOUL.md')).toBe(good)
  })

  it('says why', async () => {
    const { files, fail } = weakStore({ 'SOUL.md': 'dry' })
    await files.read(['SOUL.md'])
    const why = async (fault: Fault) => {
      fail('none')
      await files.read(['SOUL.md'])
      fail(fault)
      return (await present(files, 'SOUL.md')).staleReason
    }
    expect(await why('io')).toBe('the disk is ill')
    expect(await why('rejects')).toBe('the store failed: the disk is ill')
    expect(await why('hangs')).toBe('the store took longer than 20 ms')
    expect(await why('nonsense')).toContain('7 for its text')
  })

  it('in one file leaves the others as they are', async () => {
    const { files, fail } = weakStore({ 'a.md': 'A', 'b.md': 'B' })
    const [, b] = await files.read(['a.md', 'b.md', 'c.md'])
    fail('io', { only: 'a.md' })
    const after = await files.read(['a.md', 'b.md', 'c.md'])
    expect(after[0]).toMatchObject({ text: 'A', stale: true })
    expect(after[1]).toBe(b)
    expect(after[2]).toEqual({ state: 'missing', path: 'c.md' })
  })

  it.each(['permission', 'outside-root', 'binary', 'not-a-file'] as const)(
    '%s is no fault: it is shown, and the older text is forgotten',
    async (reason) => {
      const { files, fail } = weakStore({ 'a.md': 'A' })
      await files.read(['a.md'])
      fail(reason)
      expect(await fates(files, 'a.md')).toEqual([reason])
      fail('io')
      expect(await fates(files, 'a.md')).toEqual(['io'])
      fail('rejects')
      expect(await failure(files.read(['a.md']))).toMatchObject({ message: 'the disk is ill' })
    },
  )

  it('cannot bring back what was deleted, by anyone', async () => {
    const { live, files, fail } = weakStore({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C' })
    await files.read(['a.md', 'b.md', 'c.md'])
    await live.remove('a.md')
    expect(await fates(files, 'a.md')).toEqual(['missing'])
    await files.remove('./b.md')
    fail('rejects')
    expect(await fates(files, 'a.md', 'b.md', 'c.md')).toEqual(['missing', 'missing', 'C'])
    fail('io', { only: 'a.md' })
    expect(await fates(files, 'a.md', 'b.md', 'c.md')).toEqual(['io', 'missing', 'C'])
  })

  it('has its own error where nothing was read before', async () => {
    const { files, fail } = weakStore({ 'a.md': 'A' })
    fail('rejects')
    expect(await failure(files.read(['a.md']))).toMatchObject({ message: 'the disk is ill' })
    fail('io')
    expect(await fates(files, 'a.md', 'b.md')).toEqual(['io', 'io'])
    fail('none')
    await files.read(['b.md'])
    // A text must tell of the failure, and a file that is missing does not.
    fail('rejects')
    expect(await failure(files.read(['b.md']))).toMatchObject({ message: 'the disk is ill' })
    fail('none')
    await files.read(['a.md'])
    fail('rejects')
    expect(await fates(files, 'a.md', 'b.md', 'never.md')).toEqual(['A', 'missing', 'io'])
  })

  it('has its own older texts passed on, and not kept', async () => {
    const { live, store } = weakStore({ 'a.md': 'A' })
    const [own] = await live.read(['a.md'])
    let isDown = false
    const read = async () => (isDown ? Promise.reject(new Error('down')) : [{ ...own, stale: true } as FileReading])
    const files = keepLastGood({ ...store, read })
    expect((await files.read(['a.md']))[0]).toMatchObject({ stale: true })
    isDown = true
    expect(await failure(files.read(['a.md']))).toMatchObject({ message: 'down' })
  })

  it('cannot change what was seen: a reused object is copied', async () => {
    const reused = { state: 'present' as const, path: 'a.md', text: 'A', length: 1, version: '1' }
    let isDown = false
    const files = keepLastGood({
      name: 'reusing',
      read: async () => (isDown ? Promise.reject(new Error('down')) : [reused]),
    })
    expect((await files.read(['a.md']))[0]).toBe(reused)
    Object.assign(reused, { text: 'B', version: '2' })
    isDown = true
    expect((await files.read(['a.md']))[0]).toMatchObject({ text: 'A', version: '1', stale: true })
  })
})

describe('a text that stands in', () => {
  it('is the same object for as long as the store fails, whatever it says', async () => {
    const { files, fail } = weakStore({ 'a.md': 'A' })
    const good = await present(files, 'a.md')
    fail('io', { detail: 'request 1 failed' })
    const stale = await present(files, 'a.md')
    fail('io', { detail: 'request 2 failed' })
    expect(await present(files, 'a.md')).toBe(stale)
    expect(stale.staleReason).toBe('request 1 failed')
    // Recovered and failing again in the same way, and in another.
    fail('none')
    expect(await present(files, 'a.md')).toBe(good)
    fail('io', { detail: 'request 1 failed' })
    expect(await present(files, 'a.md')).toBe(stale)
    fail('none')
    await files.read(['a.md'])
    fail('io', { detail: 'the disk is gone' })
    expect(await present(files, 'a.md')).toMatchObject({ text: 'A', staleReason: 'the disk is gone' })
  })

  it('is the newest that was seen, one’s own write included', async () => {
    const { live, files, fail } = weakStore({ 'a.md': '1' })
    await files.read(['a.md'])
    await live.write('a.md', '2')
    await files.read(['a.md'])
    fail('io')
    expect(await present(files, 'a.md')).toMatchObject({ text: '2', stale: true })
    const { version } = await files.write('./a.md', '3')
    expect(await present(files, 'a.md')).toMatchObject({ text: '3', version, stale: true })
    expect(await present(files, './a.md')).toMatchObject({ path: './a.md', text: '3', stale: true })
  })

  it('has a version with which a write is an ordinary compare-and-set', async () => {
    const { live, files, fail } = weakStore({ 'a.md': '1' })
    await files.read(['a.md'])
    fail('io')
    const { version } = await present(files, 'a.md')
    await files.write('a.md', '2', { ifVersion: version })
    await live.write('a.md', '3')
    const { version: old } = await present(files, 'a.md')
    expect(await failure(files.write('a.md', '4', { ifVersion: old }))).toMatchObject({ code: 'conflict' })
  })
})

describe('a store that is slow', () => {
  it('is waited for where nothing stands in', async () => {
    const { files, fail, hung } = weakStore({ 'a.md': 'A' })
    fail('hangs')
    const reading = fates(files, 'a.md')
    await vi.waitFor(() => expect(hung).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 40))
    hung[0]?.answer()
    expect(await reading).toEqual(['A'])
  })

  it('is listened to when it answers, for the next time', async () => {
    const { live, files, fail, hung } = weakStore({ 'a.md': '1' })
    await files.read(['a.md'])
    await live.write('a.md', '2')
    fail('hangs')
    expect(await fates(files, 'a.md')).toEqual(['1'])
    hung[0]?.answer()
    expect(await present(files, 'a.md')).toMatchObject({ text: '2', stale: true })
    expect(hung[0]?.signal?.aborted).toBe(false)
  })

  it('does not undo what was seen, written or removed after it was asked', async () => {
    const { live, files, fail, hung } = weakStore({ 'a.md': '1', 'b.md': '1', 'c.md': '1' })
    const paths = ['a.md', 'b.md', 'c.md'] as const
    await files.read(paths)
    fail('hangs')
    await files.read(paths)
    fail('none')
    await live.write('a.md', '2')
    await files.read(['a.md'])
    await files.write('b.md', '2')
    await files.remove('c.md')
    hung[0]?.answer()
    await new Promise(setImmediate)
    fail('rejects')
    expect(await fates(files, ...paths)).toEqual(['2', '2', 'missing'])
  })

  it('has at most eight late calls going on', async () => {
    const { files, fail, hung } = weakStore({ 'a.md': 'A' })
    await files.read(['a.md'])
    fail('hangs')
    for (let call = 0; call < 12; call++) await files.read(['a.md'])
    expect(hung.map(({ signal }) => signal?.aborted)).toEqual([...Array(4).fill(true), ...Array(8).fill(false)])
  })

  it('is told when the caller no longer waits', async () => {
    const { files, fail, hung } = weakStore({ 'a.md': 'A' }, 60_000)
    fail('hangs')
    for (const isKnown of [false, true]) {
      const controller = new AbortController()
      const reading = failure(files.read(['a.md'], { signal: controller.signal }))
      await vi.waitFor(() => expect(hung).toHaveLength(isKnown ? 2 : 1))
      controller.abort(new Error('enough'))
      expect(await reading).toMatchObject({ message: 'enough' })
      expect(hung.at(-1)?.signal).toMatchObject({ aborted: true, reason: { message: 'enough' } })
      hung.at(-1)?.answer()
    }
    const signal = AbortSignal.abort(new Error('before'))
    expect(await failure(files.read(['a.md'], { signal }))).toMatchObject({ message: 'before' })
    expect(hung).toHaveLength(2)
  })
})

describe('a build', () => {
  const texts = { 'SOUL.md': 'Dry humour.', 'memory.md': 'Likes tea.', 'IDENTITY.md': '- Name: Finn' }
  const faults = ['rejects', 'io', 'too-slow', 'hangs'] as const

  it.each(faults)('%s: gives the same bytes, and says that they are old', async (fault) => {
    const { files, fail } = weakStore(texts)
    const agent = defineAgent({ files })
    const now = new Date('2026-02-16T09:30:00Z')
    const before = await buildSystemPrompt(agent, { now })
    expect(before.diagnostics.map(({ code }) => code)).not.toContain('file-stale')
    fail(fault)
    const after = await buildSystemPrompt(agent, { now })
    expect(after.text).toBe(before.text)
    expect(after.text).toContain('Likes tea.')
    const stale = after.sources.filter(({ stale }) => stale).map(({ path }) => path)
    expect(stale.sort()).toEqual(Object.keys(texts).sort())
    const told = after.diagnostics.filter(({ code }) => code === 'file-stale')
    expect(told.map(({ path }) => path).sort()).toEqual(Object.keys(texts).sort())
    expect(after.diagnostics.map(({ code }) => code)).not.toContain('files-failed')
    const [{ version }] = (await files.read(['SOUL.md'])) as unknown as [{ version: string }]
    const soul = told.find(({ path }) => path === 'SOUL.md')
    expect(soul).toMatchObject({ severity: 'warning', data: { version, reason: expect.any(String) } })
    expect(soul?.message).toBe(`SOUL.md is an older text, of version ${version}: ${soul?.data?.reason}.`)
    fail('none')
    expect(await buildSystemPrompt(agent, { now })).toEqual(before)
  })

  it('makes nothing anew while the store fails: the same documents in each turn', async () => {
    const { files, fail } = weakStore(texts)
    const agent = defineAgent({ files })
    await loadWorkspace(agent)
    fail('io')
    const first = await loadWorkspace(agent)
    const second = await loadWorkspace(agent)
    const present = first.documents.filter(({ state }) => state === 'present')
    expect(present).toHaveLength(3)
    for (const document of present) expect(second.documents).toContain(document)
  })

  it('without it is as it was: the store failed, once for all files', async () => {
    const { store, fail } = weakStore(texts)
    const agent = defineAgent({ files: store })
    await buildSystemPrompt(agent)
    fail('rejects')
    const { text, diagnostics } = await buildSystemPrompt(agent)
    expect(text).not.toContain('Dry humour.')
    expect(diagnostics.map(({ code }) => code)).toContain('files-failed')
  })

  it('of two agents over one store: what one has seen stands in for the other', async () => {
    const { files, fail } = weakStore(texts)
    const [a, b] = [defineAgent({ files, base: 'A' }), defineAgent({ files, base: 'B' })]
    await buildSystemPrompt(a)
    fail('hangs')
    const [first, second] = await Promise.all([buildSystemPrompt(a), buildSystemPrompt(b)])
    for (const { text } of [first, second]) expect(text).toContain('Dry humour.')
  })
})

describe('memory', () => {
  it('holds 256 files, those that were seen last', async () => {
    const { files, fail } = weakStore({ 'a.md': 'A' })
    const paths = Array.from({ length: 300 }, (_, index) => `${index}.md`)
    for (const path of paths) await files.write(path, path)
    fail('io')
    const readings = await files.read(paths)
    expect(readings.map((reading) => reading.state === 'present')).toEqual(paths.map((_, index) => index >= 44))
  })

  it('holds 32 Mi units of text', async () => {
    const { files, fail } = weakStore()
    const text = 'x'.repeat(2 ** 20)
    const paths = Array.from({ length: 40 }, (_, index) => `${index}.md`)
    for (const path of paths) await files.write(path, text)
    fail('io')
    const readings = await files.read(paths)
    expect(readings.map((reading) => reading.state === 'present')).toEqual(paths.map((_, index) => index >= 8))
  })

  it('is bounded over 10,000 turns, and the files of each turn are never those that go', async () => {
    const snapshot = (path: string): FileReading =>
      Object.freeze({ state: 'present', path, text: path, length: path.length, version: path })
    let isDown = false
    const files = keepLastGood({
      name: 'endless',
      read: async (paths) => (isDown ? Promise.reject(new Error('down')) : paths.map(snapshot)),
    })
    for (let turn = 0; turn < 10_000; turn++) {
      isDown = turn % 7 === 6
      await files.read(['SOUL.md', `${turn}.md`])
    }
    isDown = true
    const all = Array.from({ length: 10_000 }, (_, index) => `${index}.md`)
    const kept = (await files.read(['SOUL.md', ...all])).filter(({ state }) => state === 'present')
    expect(kept).toHaveLength(256)
    expect(kept[0]).toMatchObject({ path: 'SOUL.md', stale: true })
  })
})

describe('the law', () => {
  it('a reading is the store’s own, or the last good one of that file, and never one that was gone since', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('fail' as const),
        fault: fc.constantFrom<Fault>('rejects', 'io', 'none', 'nonsense'),
      }),
      fc.record({ do: fc.constant('write' as const), path: fc.constantFrom('a.md', 'b.md'), text: fc.string() }),
      fc.record({ do: fc.constant('remove' as const), path: fc.constantFrom('a.md', 'b.md') }),
      fc.record({ do: fc.constant('permission' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { live, files, fail } = weakStore({ 'a.md': 'A' })
        const paths = ['a.md', 'b.md']
        const last = new Map<string, string | undefined>()
        let fault: Fault = 'none'
        for (const one of steps) {
          if (one.do === 'fail') fault = one.fault
          else if (one.do === 'permission') fault = 'permission'
          else if (one.do === 'write') await live.write(one.path, one.text)
          else await live.remove(one.path)
          fail(fault)
          const readings = await files
            .read(paths)
            .catch(() => paths.map((path) => ({ state: 'failed' as const, path })))
          for (const reading of readings) {
            if (fault === 'none') last.set(reading.path, fate((await live.read([reading.path]))[0]))
            else if (fault === 'permission') last.set(reading.path, undefined)
            if (reading.state !== 'present') continue
            expect(reading.stale === true).toBe(fault !== 'none')
            expect(reading.text).toBe(last.get(reading.path))
          }
        }
      }),
    )
  })
})

describe('keepLastGood', () => {
  it('has the capabilities of the store, and no others, under a name that says so', async () => {
    const { name, read } = memoryFileSystem()
    expect(Object.keys(keepLastGood({ name, read })).sort()).toEqual(['name', 'read'])
    const events: string[] = []
    const store: FileSystem = {
      ...memoryFileSystem(),
      watch: (listener) => {
        listener(['a.md'])
        return () => void events.push('stopped')
      },
      close: async () => void events.push('closed'),
    }
    const files = keepLastGood(store)
    expect(files.name).toBe('lastGood(memory)')
    expect(Object.keys(files).sort()).toEqual(Object.keys(store).sort())
    files.watch?.((paths) => events.push(...paths))()
    await files.append?.('log/a.md', 'x')
    expect(await files.list?.('log')).toEqual(['a.md'])
    await files.close?.()
    expect(events).toEqual(['a.md', 'stopped', 'closed'])
  })

  it('has them by its type where that says so', () => {
    const files = keepLastGood(memoryFileSystem())
    expectTypeOf(files).toExtend<FileSystem>()
    expectTypeOf(files.write).toBeFunction()
    const any: FileSystem = memoryFileSystem()
    expectTypeOf(keepLastGood(any).write).toEqualTypeOf<FileSystem['write']>()
  })

  it('goes with an overlay and with pins, which keep no stale text', async () => {
    const { live, files, fail } = weakStore({ 'a.md': '1' })
    await files.read(['a.md'])
    fail('io')
    const pinned = pinFiles(overlayFileSystem([files]))
    expect(await present(pinned, 'a.md')).toMatchObject({ text: '1', stale: true, staleReason: 'the disk is ill' })
    fail('none')
    await live.write('a.md', '2')
    expect(await fates(pinned, 'a.md')).toEqual(['2'])
    fail('rejects')
    expect(await fates(pinned, 'a.md')).toEqual(['2'])
  })

  it('leaves no timer and no unhandled rejection behind', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    let reject = (_: Error) => {}
    let isSlow = false
    const { store } = weakStore({ 'a.md': 'A' })
    const read: FileSystem['read'] = (paths) => (isSlow ? new Promise((_, no) => (reject = no)) : store.read(paths))
    const files = keepLastGood({ ...store, read }, { within: 5 })
    await files.read(['a.md'])
    isSlow = true
    expect(await fates(files, 'a.md')).toEqual(['A'])
    reject(new Error('late and bad'))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(unhandled).toEqual([])
  })

  it.each([[undefined], [null], ['here'], [{ name: 'x' }], [{ read: () => [] }]])('refuses %j', (files) => {
    expect(() => keepLastGood(files as never)).toThrow(PromptError)
    expect(() => keepLastGood(files as never)).toThrow('keepLastGood: expected a file system')
  })

  it.each([[0], [-1], [Number.NaN], [2 ** 31], ['10'], [null]])('refuses %j for its time', (within) => {
    expect(() => keepLastGood(memoryFileSystem(), { within: within as never })).toThrow(
      /^keepLastGood: within: expected ms over 0 and at most 2147483647, got /,
    )
  })

  it.each([[null], [7], ['x']])('refuses %j for its options', (options) => {
    expect(() => keepLastGood(memoryFileSystem(), options as never)).toThrow('options: expected an object, got ')
  })
})
