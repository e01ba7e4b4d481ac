import fc from 'fast-check'
import { PromptError } from 'soulprompt'
import { type Fault, type FileOperation, faultyFileSystem, fileSystemSuite } from 'soulprompt/testing'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import type { FileReading, FileSystem } from '../../../src/ports/file-system.js'
import { type MemoryFileSystem, memoryFileSystem } from '../../../src/workspace/memory-file-system.js'

const texts = { 'a.md': 'Alpha 😀 omega', 'memory/b.md': 'Beta', 'memory/c.md': 'Gamma', 'memory/d.md': 'Delta' }

/** A store with one fault, at its first operation. */
function withFault(fault: Fault, store: MemoryFileSystem = memoryFileSystem(texts)) {
  return { store, files: faultyFileSystem(store, { faults: [{ at: 0, ...fault }] }) }
}

async function textIn(store: FileSystem, path: string): Promise<string | undefined> {
  const [reading] = await store.read([path])
  return reading?.state === 'present' ? reading.text : undefined
}

const calls: Readonly<Record<string, (files: MemoryFileSystem, signal?: AbortSignal) => Promise<unknown>>> = {
  read: (files, signal) => files.read(['a.md'], signal && { signal }),
  list: (files, signal) => files.list('memory', signal && { signal }),
  write: (files) => files.write('new.md', 'written'),
  append: (files) => files.append('new.md', 'written'),
  remove: (files) => files.remove('a.md'),
}
const everyCall = Object.entries(calls)
const changes = everyCall.filter(([method]) => !['read', 'list'].includes(method))

/** Nothing can show that a promise never settles; that it has not long after everything else has is what there is. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => false,
    () => false,
  )
  return Promise.race([settled, new Promise<boolean>((resolve) => setTimeout(resolve, 30, true))])
}

/** What a caller of a changed store sees. */
async function stateOf(store: MemoryFileSystem) {
  const names = [...(await store.list('.'))].sort()
  return { names, a: await textIn(store, 'a.md'), new: await textIn(store, 'new.md') }
}

const untouched = { names: ['a.md', 'memory'], a: texts['a.md'], new: undefined }
const done: Readonly<Record<string, object>> = {
  write: { ...untouched, names: ['a.md', 'memory', 'new.md'], new: 'written' },
  append: { ...untouched, names: ['a.md', 'memory', 'new.md'], new: 'written' },
  remove: { ...untouched, names: ['memory'], a: undefined },
}

afterEach(() => {
  vi.useRealTimers()
})

describe('without a fault', () => {
  const suite = fileSystemSuite((texts) => {
    const store = memoryFileSystem(texts)
    const put = async (path: string, text: string) => void (await store.write(path, text))
    return { files: faultyFileSystem(store), put, drop: (path) => store.remove(path) }
  })
  for (const { name, run } of suite) test(name, run)

  it('the answers are the very same', async () => {
    const store = memoryFileSystem(texts)
    const files = faultyFileSystem(store, { faults: () => undefined })
    expect((await files.read(['a.md']))[0]).toBe((await store.read(['a.md']))[0])
    expect(await files.write('a.md', 'A')).toBe((await store.read(['a.md']))[0])
  })

  it('methods are called on the store, with what the caller gave', async () => {
    const made: unknown[] = []
    const method = (name: string) =>
      function (this: unknown, ...given: readonly unknown[]): never {
        made.push([name, this === store, ...given])
        return undefined as never
      }
    const names = ['read', 'list', 'write', 'append', 'remove', 'watch', 'close'] as const
    const store = {
      name: 'plain',
      ...Object.fromEntries(names.map((name) => [name, method(name)])),
    } as unknown as Required<FileSystem>
    const files = faultyFileSystem(store)
    const [signal, listener] = [new AbortController().signal, () => {}]
    await files.read(['a.md'], { signal })
    await files.list('memory', { signal })
    await files.write('a.md', 'A', { ifVersion: null })
    await files.append('a.md', 'A')
    await files.remove('a.md', { ifVersion: '1' })
    files.watch(listener)
    await files.close()
    expect(made).toEqual([
      ['read', true, ['a.md'], { signal }],
      ['list', true, 'memory', { signal }],
      ['write', true, 'a.md', 'A', { ifVersion: null }],
      ['append', true, 'a.md', 'A'],
      ['remove', true, 'a.md', { ifVersion: '1' }],
      ['watch', true, listener],
      ['close', true],
    ])
  })
})

it('has what the store has, and nothing else', () => {
  const optional = ['list', 'write', 'append', 'remove', 'watch', 'close'] as const
  fc.assert(
    fc.property(fc.subarray([...optional]), (present) => {
      const { name, read, ...rest } = memoryFileSystem()
      const has = Object.fromEntries(present.map((method) => [method, rest[method]]))
      const files = faultyFileSystem({ name, read, ...has })
      expect(Object.keys(files).sort()).toEqual(['name', 'operations', 'read', 'revive', ...present].sort())
      expect(files.name).toBe('faulty(memory)')
    }),
  )
})

describe('operations', () => {
  it('are counted over all methods, in the order of the calls, failed ones included', async () => {
    const asked: FileOperation[] = []
    const files = faultyFileSystem(memoryFileSystem(texts), {
      faults: (operation) => {
        asked.push(operation)
        return operation.method === 'append' ? { kind: 'fail' } : undefined
      },
    })
    const stop = files.watch(() => {})
    const together = [files.read(['a.md', './b.md']), files.list('memory'), files.append('log.md', 'x')]
    await Promise.allSettled(together)
    await files.write('a.md', 'A')
    await files.remove('a.md')
    stop()
    await files.close()
    expect(files.operations).toEqual([
      { index: 0, method: 'read', paths: ['a.md', './b.md'] },
      { index: 1, method: 'list', paths: ['memory'] },
      { index: 2, method: 'append', paths: ['log.md'] },
      { index: 3, method: 'write', paths: ['a.md'] },
      { index: 4, method: 'remove', paths: ['a.md'] },
    ])
    expect(asked).toEqual(files.operations)
  })

  it('fail by their index alone', async () => {
    const files = faultyFileSystem(memoryFileSystem(texts), {
      faults: [
        { at: 3, kind: 'fail' },
        { at: 1, kind: 'fail', error: new Error('kaput') },
      ],
    })
    const outcomes: string[] = []
    for (let index = 0; index < 5; index++) {
      outcomes.push(
        await files.read(['a.md']).then(
          () => 'read',
          (error: Error) => error.message,
        ),
      )
    }
    expect(outcomes).toEqual(['read', 'kaput', 'read', 'EIO: i/o error, read a.md', 'read'])
  })
})

describe('fail', () => {
  it.each(everyCall)('%s rejects with EIO and does nothing', async (method, call) => {
    const { store, files } = withFault({ kind: 'fail' })
    await expect(call(files)).rejects.toMatchObject({ code: 'EIO', message: expect.stringContaining(method) })
    expect(await stateOf(store)).toEqual(untouched)
  })

  it.each(everyCall)('%s rejects with any error that is given', async (_, call) => {
    const error = new PromptError('locked', 'held by another')
    await expect(call(withFault({ kind: 'fail', error }).files)).rejects.toBe(error)
    await expect(call(withFault({ kind: 'fail', error: 'words' }).files)).rejects.toBe('words')
  })

  it.each(changes)('after: %s is done and rejects all the same', async (method, call) => {
    const { store, files } = withFault({ kind: 'fail', when: 'after' })
    await expect(call(files)).rejects.toMatchObject({ code: 'EIO' })
    expect(await stateOf(store)).toEqual(done[method])
  })

  it('after: what the store itself refuses comes first', async () => {
    const { files } = withFault({ kind: 'fail', when: 'after' })
    await expect(files.write('a.md', 'A', { ifVersion: null })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('only some paths of a read are unreadable', async () => {
    const fault: Fault = { kind: 'fail', paths: ['./a.md', 'none.md'], reason: 'permission', error: 'no' }
    const [a, b, none] = await withFault(fault).files.read(['a.md', 'memory/b.md', 'none.md'])
    expect(a).toEqual({ state: 'unreadable', path: 'a.md', reason: 'permission', cause: 'no' })
    expect(b).toMatchObject({ state: 'present', text: 'Beta' })
    expect(none).toMatchObject({ state: 'unreadable', reason: 'permission' })
    const [other] = await withFault({ kind: 'fail', paths: ['a.md'] }).files.read(['a.md'])
    expect(other).toEqual({ state: 'unreadable', path: 'a.md', reason: 'io' })
  })
})

describe('short and tear', () => {
  const both = ['short', 'tear'] as const

  it.each(both)('%s: a write stores the first units', async (kind) => {
    for (const [units, stored] of [
      [3, 'new'],
      [undefined, 'new t'],
      [0, ''],
      [99, 'new text 😀'],
      [10, 'new text '],
    ] as const) {
      const { store, files } = withFault({ kind, ...(units !== undefined && { units }) })
      const outcome = await files.write('a.md', 'new text 😀').catch((error: unknown) => error)
      expect(await textIn(store, 'a.md')).toBe(stored)
      if (kind === 'short') expect(outcome).toMatchObject({ code: 'EIO' })
      else expect(outcome).toMatchObject({ state: 'present', text: 'new text 😀', length: 11 })
    }
  })

  it('tear: the answer bears a version that the store does not have', async () => {
    const { store, files } = withFault({ kind: 'tear' })
    const { version } = await files.write('a.md', 'new text')
    await expect(files.write('a.md', 'next', { ifVersion: version })).rejects.toMatchObject({ code: 'conflict' })
    expect(await textIn(store, 'a.md')).toBe('new ')
  })

  it('tear: of a long text the answer has the two ends', async () => {
    const text = 'x'.repeat(2 ** 20 + 1)
    const written = await withFault({ kind: 'tear' }).files.write('a.md', text)
    expect([written.text.length, written.gap, written.length]).toEqual([2 ** 19, { at: 2 ** 18 }, text.length])
  })

  it.each(both)('%s: a write on another version is a conflict, and stores nothing', async (kind) => {
    const { store, files } = withFault({ kind })
    await expect(files.write('a.md', 'new', { ifVersion: null })).rejects.toMatchObject({ code: 'conflict' })
    expect(await stateOf(store)).toEqual(untouched)
  })

  it.each(both)('%s: an append stores the first units', async (kind) => {
    const { store, files } = withFault({ kind, units: 2 })
    const outcome = await files.append('memory/b.md', '!?…').catch((error: unknown) => error)
    expect(await textIn(store, 'memory/b.md')).toBe('Beta!?')
    if (kind === 'short') expect(outcome).toMatchObject({ code: 'EIO' })
    else expect(outcome).toBeUndefined()
  })

  it.each(both)('%s: a remove removes nothing', async (kind) => {
    const { store, files } = withFault({ kind })
    const outcome = await files.remove('a.md').catch((error: unknown) => error)
    expect(await stateOf(store)).toEqual(untouched)
    if (kind === 'short') expect(outcome).toMatchObject({ code: 'EIO' })
    else expect(outcome).toBeUndefined()
  })

  it.each(both)('%s: a listing has the first names', async (kind) => {
    expect(await withFault({ kind, units: 2 }).files.list('memory')).toEqual(['b.md', 'c.md'])
    expect(await withFault({ kind }).files.list('memory')).toEqual(['b.md'])
  })

  it.each(both)('%s: a read gives the first units of each text', async (kind) => {
    const { store, files } = withFault({ kind, units: 7 })
    const whole = await store.read(['a.md', 'memory/b.md', 'none.md'])
    const [a, b, none] = await files.read(['a.md', 'memory/b.md', 'none.md'])
    const version = whole[0]?.state === 'present' ? whole[0].version : ''
    // 7 would cut the emoji.
    const told = kind === 'short' ? { length: 14, version } : { length: 6, version: `${version}:6` }
    expect(a).toEqual({ state: 'present', path: 'a.md', text: 'Alpha ', ...told })
    expect(Object.isFrozen(a)).toBe(true)
    expect([b, none]).toEqual(whole.slice(1))
    expect(b).toBe(whole[1])
  })

  it.each(both)('%s: a read of a long file may end in either of its ends', async (kind) => {
    const store = memoryFileSystem({ 'a.md': 'x'.repeat(2 ** 20 + 1) })
    const read = async (units: number) => {
      const [reading] = await withFault({ kind, units }, store).files.read(['a.md'])
      return reading?.state === 'present' ? [reading.text.length, reading.gap?.at, reading.length] : reading
    }
    const end = 2 ** 18
    const whole = 2 ** 20 + 1
    expect(await read(5)).toEqual([5, undefined, kind === 'short' ? whole : 5])
    expect(await read(end + 5)).toEqual([end + 5, end, kind === 'short' ? whole : whole - end + 5])
  })
})

describe('delay', () => {
  it.each(everyCall)('%s is made when the time is over', async (method, call) => {
    vi.useFakeTimers()
    const { store, files } = withFault({ kind: 'delay', ms: 60_000 })
    let isOver = false
    const answer = call(files).finally(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(59_999)
    expect(isOver).toBe(false)
    expect(await stateOf(store)).toEqual(untouched)
    await vi.advanceTimersByTimeAsync(1)
    await answer
    expect(await stateOf(store)).toEqual(done[method] ?? untouched)
  })

  it.each(everyCall.filter(([method]) => !(method in done)))('%s heeds its signal', async (_, call) => {
    for (const ms of [60_000, 'never'] as const) {
      vi.useFakeTimers()
      const controller = new AbortController()
      const answer = call(withFault({ kind: 'delay', ms }).files, controller.signal)
      controller.abort(new Error('enough'))
      await expect(answer).rejects.toThrow('enough')
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it.each(everyCall)('never: %s does nothing and does not settle', async (_, call) => {
    const { store, files } = withFault({ kind: 'delay', ms: 'never' })
    expect(await isPending(call(files))).toBe(true)
    expect(await stateOf(store)).toEqual(untouched)
    expect(await textIn(files, 'a.md')).toBe(texts['a.md'])
  })
})

describe('crash', () => {
  it.each(everyCall)('before: %s does nothing and does not settle, nor does any later call', async (_, call) => {
    const { store, files } = withFault({ kind: 'crash' })
    const controller = new AbortController()
    const first = call(files, controller.signal)
    const later = everyCall.map(([, other]) => other(files, controller.signal))
    controller.abort()
    for (const answer of [first, ...later]) expect(await isPending(answer)).toBe(true)
    expect(await stateOf(store)).toEqual(untouched)
    expect(files.operations).toHaveLength(6)

    files.revive()
    expect(await textIn(files, 'a.md')).toBe(texts['a.md'])
    await files.write('a.md', 'A')
    expect(await textIn(store, 'a.md')).toBe('A')
    expect(await isPending(first)).toBe(true)
  })

  it.each(changes)('after: %s is done, and does not settle', async (method, call) => {
    const { store, files } = withFault({ kind: 'crash', when: 'after' })
    const answer = call(files)
    expect(await isPending(answer)).toBe(true)
    expect(await isPending(files.read(['a.md']))).toBe(true)
    expect(await stateOf(store)).toEqual(done[method])
  })

  it('after: not even a refusal of the store is heard, nor what it throws at once', async () => {
    const throwing: Partial<FileSystem> = {
      write() {
        throw new Error('kaput')
      },
    }
    for (const store of [memoryFileSystem(texts), { ...memoryFileSystem(texts), ...throwing } as MemoryFileSystem]) {
      const { files } = withFault({ kind: 'crash', when: 'after' }, store)
      expect(await isPending(files.write('a.md', 'A', { ifVersion: null }))).toBe(true)
    }
  })

  it('nothing befalls a store that is down', async () => {
    const asked: number[] = []
    const store = memoryFileSystem(texts)
    const files = faultyFileSystem(store, {
      faults: ({ index }) => {
        asked.push(index)
        return { kind: 'crash', when: index === 0 ? 'before' : 'after' }
      },
    })
    const answers = [files.read(['a.md']), files.write('a.md', 'A')]
    for (const answer of answers) expect(await isPending(answer)).toBe(true)
    expect(await stateOf(store)).toEqual(untouched)
    expect(asked).toEqual([0])
  })

  it('may happen again after it was revived', async () => {
    const files = faultyFileSystem(memoryFileSystem(texts), {
      faults: [
        { at: 0, kind: 'crash' },
        { at: 2, kind: 'crash' },
      ],
    })
    expect(await isPending(files.read(['a.md']))).toBe(true)
    files.revive()
    expect(await textIn(files, 'a.md')).toBe(texts['a.md'])
    expect(await isPending(files.read(['a.md']))).toBe(true)
  })
})

describe('bad options', () => {
  const refused: readonly (readonly [unknown, unknown, string])[] = [
    [null, {}, 'expected a file system (an object with name and read), got null'],
    [{ name: 'x' }, {}, 'expected a file system'],
    [memoryFileSystem(), null, 'options: expected an object, got null'],
    [memoryFileSystem(), { fault: [] }, 'fault: is no option'],
    [memoryFileSystem(), { faults: 5 }, 'faults: expected a list of faults or a function, got 5'],
    ...(
      [
        [5, 'faults[0]: expected a fault, got 5'],
        [{ at: 0 }, 'faults[0].kind: expected one of fail, short, tear, delay, crash, got undefined'],
        [{ at: 0, kind: 'constructor' }, 'faults[0].kind: expected one of'],
        [{ kind: 'fail' }, 'faults[0].at: expected the index of an operation, got undefined'],
        [{ at: -1, kind: 'fail' }, 'faults[0].at: expected the index of an operation, got -1'],
        [{ at: 0, kind: 'fail', unit: 5 }, 'faults[0].unit: is no option of the fault fail'],
        [{ at: 0, kind: 'fail', when: 'during' }, 'faults[0].when: expected before or after, got "during"'],
        [{ at: 0, kind: 'fail', paths: 'a.md' }, 'faults[0].paths: expected a list of paths, got "a.md"'],
        [{ at: 0, kind: 'fail', paths: [], reason: 'mood' }, 'faults[0].reason: expected not-a-file, outside-root'],
        [{ at: 0, kind: 'short', units: 1.5 }, 'faults[0].units: expected a whole number of at least 0, got 1.5'],
        [{ at: 0, kind: 'tear', units: -1 }, 'faults[0].units: expected a whole number of at least 0, got -1'],
        [{ at: 0, kind: 'delay' }, 'faults[0].ms: expected ms from 0 to 2147483647, or never, got undefined'],
        [{ at: 0, kind: 'delay', ms: Infinity }, 'faults[0].ms: expected ms from 0'],
        [{ at: 0, kind: 'crash', when: null }, 'faults[0].when: expected before or after, got null'],
      ] as const
    ).map(([fault, message]) => [memoryFileSystem(), { faults: [fault] }, message] as const),
    [
      memoryFileSystem(),
      { faults: [0, 0].map((at) => ({ at, kind: 'fail' })) },
      'faults[1].at: operation 0 has a fault already',
    ],
  ]

  it.each(refused)('%j with %j', (files, options, message) => {
    const make = () => faultyFileSystem(files as FileSystem, options as object)
    expect(make).toThrow(PromptError)
    expect(make).toThrow(
      expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining(message) }),
    )
  })

  it('a function that gives no fault, or throws, is what the call rejects with', async () => {
    const read = (faults: () => unknown) =>
      faultyFileSystem(memoryFileSystem(), { faults: faults as () => undefined }).read(['a.md'])
    await expect(read(() => ({ kind: 'tear', units: 'x' }))).rejects.toMatchObject({
      code: 'invalid-options',
      message: 'faultyFileSystem: faults(read 0).units: expected a whole number of at least 0, got "x"',
    })
    await expect(read(() => Promise.resolve())).rejects.toMatchObject({ code: 'invalid-options' })
    await expect(
      read(() => {
        throw new Error('kaput')
      }),
    ).rejects.toThrow('kaput')
  })
})

it('a torn read gives the beginning of each text, and the next read the whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), fc.nat(20), async (all, units) => {
      const named = Object.fromEntries(all.map((text, index) => [`${index}.md`, text]))
      const store = memoryFileSystem(named)
      const { files } = withFault({ kind: 'tear', units }, store)
      const paths = Object.keys(named)
      const torn: readonly FileReading[] = await files.read(paths)
      for (const [index, reading] of torn.entries()) {
        const text = reading.state === 'present' ? reading.text : undefined
        expect(all[index]?.startsWith(text ?? 'no text')).toBe(true)
        expect(text?.length).toBeLessThanOrEqual(units)
        expect(text?.isWellFormed()).toBe(true)
      }
      expect(await files.read(paths)).toEqual(await store.read(paths))
    }),
  )
})
