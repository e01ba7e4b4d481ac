import assert from 'node:assert/strict'
import { type EveryFaultOptions, everyFault, type Fault, type FaultyFileSystem } from 'soulprompt/testing'
import { describe, expect, it } from 'vitest'
import type { FileReading } from '../../../src/ports/file-system.js'
import { type MemoryFileSystem, memoryFileSystem } from '../../../src/workspace/memory-file-system.js'

type Run = (files: FaultyFileSystem<MemoryFileSystem>) => unknown

const create = () => memoryFileSystem({ 'a.md': 'old' })
const failureOf = (run: Run, options?: EveryFaultOptions<MemoryFileSystem>) =>
  everyFault(create, run, options).then(
    () => assert.fail('every case went well'),
    (error: Error) => error,
  )

const readAndWrite: Run = async (files) => {
  const [reading] = await files.read(['a.md'])
  await files.write('a.md', reading?.state === 'present' ? `${reading.text} new` : 'new')
}
/** Gives up on a store that hangs. */
const within = (ms: number, task: Promise<unknown>) =>
  Promise.race([task.catch(() => {}), new Promise((resolve) => setTimeout(resolve, ms))])

const textOf = (readings: readonly FileReading[]) => (readings[0]?.state === 'present' ? readings[0].text : undefined)

describe('everyFault', () => {
  it('runs each kind at each operation, on a store of its own that is closed', async () => {
    const stores: MemoryFileSystem[] = []
    let closed = 0
    const outcomes: string[] = []
    const count = await everyFault(
      () => {
        const store = { ...create(), close: async () => void closed++ }
        stores.push(store)
        return store
      },
      async (files) => {
        await within(20, readAndWrite(files) as Promise<void>)
        outcomes.push(files.operations.map(({ method }) => method).join(' '))
      },
    )
    // A read: fail, short, tear, crash, never. A write: fail and crash after it as well.
    expect(count).toBe(5 + 7)
    expect([stores.length, new Set(stores).size, closed]).toEqual([13, 13, 13])
    const afterwards = await Promise.all(stores.map(async (store) => textOf(await store.read(['a.md']))))
    expect(afterwards).toEqual([
      'old new',
      ...['old', 'o new', 'o new', 'old', 'old'],
      ...['old', 'old', 'old', 'old', 'old new', 'old new', 'old'],
    ])
    const readOnly = outcomes.map((made, index) => (made === 'read' ? index : -1)).filter((index) => index >= 0)
    expect(readOnly).toEqual([1, 4, 5])
  })

  it('runs the kinds that it is given', async () => {
    const faults: readonly Fault[] = [
      { kind: 'fail', when: 'after' },
      { kind: 'tear', units: 1 },
    ]
    const texts: (string | undefined)[] = []
    const check = async (store: MemoryFileSystem) => void texts.push(textOf(await store.read(['a.md'])))
    expect(await everyFault(create, readAndWrite, { faults, check })).toBe(4)
    expect(texts).toEqual(['old new', 'old', 'o new', 'old new', 'o'])
  })

  it.each([
    ['rejects', { kind: 'fail' }, 'operation 1 of 2, read a.md: fail before: EIO: i/o error, read a.md'],
    [
      'rejects with the error of the fault',
      { kind: 'fail', paths: ['b.md'], error: 'kaput', when: 'after' },
      'operation 2 of 2, write a.md: fail after of b.md with kaput: kaput',
    ],
    ['does not settle', { kind: 'crash' }, 'operation 1 of 2, read a.md: crash before: it did not settle within 30 ms'],
    [
      'does not settle either',
      { kind: 'delay', ms: 'never' },
      'operation 1 of 2, read a.md: delay for ever: it did not settle within 30 ms',
    ],
  ] as const)('names the case in which the run %s', async (_, fault, message) => {
    const error = await failureOf(readAndWrite, { faults: [fault], within: 30 })
    expect(error).toBeInstanceOf(assert.AssertionError)
    expect(error.message).toBe(message)
    expect(error.cause).toBeDefined()
  })

  it('names the case in which the check fails, and says how', async () => {
    const check = async (store: MemoryFileSystem) => {
      const text = textOf(await store.read(['a.md']))
      assert.ok(text === 'old' || text === 'new', `the file holds ${text}`)
    }
    const error = await failureOf((files) => files.write('a.md', 'new'), { check })
    expect(error.message).toBe('operation 1 of 1, write a.md: short: the file holds n')
  })

  it('gives up a run whose store crashed, when the last effect is there, and goes on', async () => {
    const states: string[] = []
    let isChecked = false
    const hangs: Run = async (files) => {
      isChecked = false
      await files.append('a.md', ' new')
      assert.ok(!isChecked)
    }
    const check = async (store: MemoryFileSystem) => {
      isChecked = true
      states.push(textOf(await store.read(['a.md'])) ?? '')
    }
    const faults: readonly Fault[] = [{ kind: 'crash' }, { kind: 'crash', when: 'after' }]
    await everyFault(create, hangs, { faults, check })
    expect(states).toEqual(['old new', 'old', 'old new'])
  })

  it('lets a run reject that is checked, but not where nothing failed', async () => {
    const throws: Run = async (files) => {
      await files.read(['a.md'])
      throw new Error('by itself')
    }
    const check = () => {}
    expect((await failureOf(throws, { check })).message).toBe('without a fault: by itself')
    expect(await everyFault(create, readAndWrite, { check })).toBeGreaterThan(0)
    let runs = 0
    const early: Run = async (files) => {
      if (runs++ > 0) throw new Error('before it began')
      await files.read(['a.md'])
    }
    expect((await failureOf(early, { check })).message).toBe(
      'operation 1 of 1, read a.md: fail before: before it began',
    )
  })

  it('refuses to test nothing', async () => {
    expect((await failureOf(() => {})).message).toBe('without a fault: it makes no operation of the store')
  })

  it('says what is wrong when it cannot make or close a store', async () => {
    const broken = () => Promise.reject(new Error('no disk'))
    await expect(everyFault(broken, readAndWrite)).rejects.toThrow('without a fault: no disk')
    const stuck = () => ({ ...create(), close: () => Promise.reject(new Error('stuck')) })
    await expect(everyFault(stuck, readAndWrite)).rejects.toThrow('without a fault: stuck')
  })

  it.each([
    [[undefined, () => {}], 'create: expected a function, got undefined'],
    [[create, 5], 'run: expected a function, got 5'],
    [[create, () => {}, null], 'options: expected an object, got null'],
    [[create, () => {}, { check: 'x' }], 'check: expected a function, got "x"'],
    [[create, () => {}, { kinds: [] }], 'kinds: is no option'],
    [[create, () => {}, { within: Infinity }], 'within: expected ms, got Infinity'],
    [[create, () => {}, { faults: [] }], 'faults: expected at least one fault, got an array of 0'],
    [[create, () => {}, { faults: [{ kind: 'fail', at: 1 }] }], 'faults[0].at: is no option of the fault fail'],
  ])('refuses bad options: %j', async (given, message) => {
    const error = { code: 'invalid-options', message: expect.stringContaining(message) }
    await expect(everyFault(...(given as unknown as Parameters<typeof everyFault>))).rejects.toMatchObject(error)
  })
})
