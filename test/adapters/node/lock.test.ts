import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Interruption } from '../../../src/adapters/node/change-failures.js'
import { sweepLeftovers } from '../../../src/adapters/node/leftovers.js'
import { type Held, withLock, withWatchedLock } from '../../../src/adapters/node/lock.js'
import { unblock, type Work } from '../../../src/adapters/node/operations.js'
import { lockName, tokenFile } from '../../../src/adapters/node/own-names.js'
import { withSubfolder } from '../../../src/adapters/node/subfolder.js'
import {
  type Child,
  identityLike,
  inOpenFolder,
  kill,
  modulesIn,
  putLock,
  someToken,
  startHolder,
  startProcess,
  withFault,
} from './locking.js'
import { openDescriptors, temporaryWorkspace } from './workspace.js'
import { errorOf, intercept, systemError, treeOf } from './writing.js'

const lock = lockName('a.md')

/** Work that is one act. */
function doing<T>(act: () => T): () => Work<T> {
  return function* () {
    yield* unblock()
    return act()
  }
}

const done = doing(() => 'done')

describe('8 processes', () => {
  const counting = `
    for (let round = 0; round < 25; round++) {
      await inLock(function* () {
        const count = Number(fs.readFileSync(root + '/count', 'utf8'))
        yield* unblock(Math.random() * 3)
        fs.writeFileSync(root + '/count', String(count + 1))
      })
    }
  `
  test('lose none of 200 increments', async () => {
    const { folder, root } = temporaryWorkspace({ count: '0' })
    const modules = modulesIn(folder)
    const children = Array.from({ length: 8 }, () => startProcess(counting, modules, root))
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
    expect(codes).toEqual(Array(8).fill(0))
    expect(treeOf(root)).toEqual({ count: '200' })
  }, 120_000)
})

/** A socket without a name on the disk can be had by one process at a time, and goes with it, whatever the lock does. */
const working = `
  const net = await import('node:net')
  const [address] = rest
  for (;;) {
    await inLock(function* () {
      const server = net.createServer()
      const heard = new Promise((resolve) => {
        server.once('error', () => resolve(say('double')))
        server.listen('\\0' + address, () => resolve(say('in')))
      })
      yield* wait(heard)
      if (Math.random() < 0.5) { say('stays'); yield* unblock(1e8) }
      yield* unblock(Math.random() * 3)
      yield* wait(new Promise((resolve) => server.close(resolve)))
    })
  }
`

test.skipIf(process.platform !== 'linux')(
  '60 holders are killed, and there are never two',
  async () => {
    const { folder, root } = temporaryWorkspace()
    const modules = modulesIn(folder)
    const address = `soulprompt-${process.pid}-${Math.random()}`
    const lines: string[] = []
    const recoveries: number[] = []
    const workers = new Set<Child>()
    let killedAt: number | undefined
    let kills = 0
    const over = new EventTarget()
    const isOver = once(over, 'over')
    const start = () => {
      const child = startProcess(working, modules, root, address)
      workers.add(child)
      child.stdout.on('data', (text: string) => {
        for (const line of text.trim().split('\n')) {
          lines.push(line)
          if (line === 'in' && killedAt !== undefined) {
            recoveries.push(performance.now() - killedAt)
            killedAt = undefined
          }
          if (line === 'stays') {
            killedAt = performance.now()
            workers.delete(child)
            child.kill('SIGKILL')
            if (++kills === 60) over.dispatchEvent(new Event('over'))
            else start()
          }
        }
      })
    }
    for (let count = 0; count < 3; count++) start()
    await isOver
    await Promise.all([...workers].map(kill))
    expect(lines.filter((line) => line === 'double')).toEqual([])
    expect(recoveries.length).toBeGreaterThan(50)
    if (process.env.X)
      console.log(
        recoveries
          .map(Math.round)
          .sort((a, b) => a - b)
          .join(' '),
      )
    expect(Math.max(...recoveries)).toBeLessThan(10_000)
    await inOpenFolder(root, 'descriptor', sweepLeftovers)
    expect(treeOf(root)).toEqual({})
  },
  120_000,
)

describe.each(['descriptor', 'path'] as const)('confirmed by %s', (confirmation) => {
  const locked = <T>(root: string, timeoutMs: number, watchMs: number, work: (lock: Held) => Work<T>) =>
    inOpenFolder(root, confirmation, (folder) => withWatchedLock(folder, 'a.md', { timeoutMs, watchMs }, work))

  test('who holds it has it alone, and gives it back', async () => {
    const { root } = temporaryWorkspace()
    const descriptors = openDescriptors()
    const result = await locked(root, 0, 0, function* (held) {
      expect(Object.values(treeOf(root))).toEqual(['(folder)', ''])
      expect(Object.keys(treeOf(root))[0]).toBe(lock)
      yield* held.confirm()
      return 'done'
    })
    expect(result).toBe('done')
    expect(treeOf(root)).toEqual({})
    expect(openDescriptors()).toBe(descriptors)
  })

  test('a live holder keeps it, also one that stands still', async () => {
    const { folder, root } = temporaryWorkspace()
    const modules = modulesIn(folder)
    const holder = await startHolder(modules, root)
    const before = treeOf(root)
    for (const signal of ['SIGCONT', 'SIGSTOP'] as const) {
      holder.kill(signal)
      const error = await errorOf(locked(root, 300, 0, done))
      expect(error).toMatchObject({ code: 'locked', data: { name: 'a.md', pid: holder.pid } })
      expect(error.message).toMatch(
        new RegExp(`^"a.md" could not be locked: process ${holder.pid} still has its lock after \\d+ ms\\.$`),
      )
      expect(error.data.waited).toBeGreaterThanOrEqual(300)
      expect(treeOf(root)).toEqual(before)
    }
    // A dead one keeps nothing, and nobody waits for it.
    await kill(holder)
    expect(await locked(root, 0, 1e9, done)).toBe('done')
    expect(treeOf(root)).toEqual({})
  })

  test('who waits has it when it is given back, and the others of the process go on', async () => {
    const { root } = temporaryWorkspace()
    const order: string[] = []
    const first = locked(root, 0, 0, function* () {
      order.push('first in')
      yield* unblock(50)
      order.push('first out')
    })
    const second = (async () => {
      await vi.waitFor(() => expect(order).toEqual(['first in']))
      await locked(
        root,
        5_000,
        0,
        doing(() => order.push('second')),
      )
    })()
    await Promise.all([first, second])
    expect(order).toEqual(['first in', 'first out', 'second'])
  })

  test('what has the number of a process, and another start, is dead; the very process is not', async () => {
    const { root } = temporaryWorkspace()
    const living = await identityLike({})
    const token = putLock(root, 'a.md', someToken(living))
    expect(await errorOf(locked(root, 0, 0, done))).toMatchObject({ code: 'locked', data: { pid: process.pid } })
    fs.rmSync(`${root}/${lock}`, { recursive: true })
    if (process.platform !== 'linux') return
    const start = Number(living.slice(15, 27)) - 1
    putLock(root, 'a.md', someToken(await identityLike({ start })))
    expect(await locked(root, 0, 1e9, done)).toBe('done')
    expect(fs.existsSync(token)).toBe(false)
  })

  test('one of an unknown machine is broken when it was watched for long enough, whatever the clock says', async () => {
    const { root } = temporaryWorkspace()
    const token = putLock(root, 'a.md', `${await identityLike({ machine: 7, pid: 4711 })}-${randomDigits()}`)
    const now = Date.now
    let looks = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 1e9 * looks++)
    onTestFinished(() => clock.mockRestore())
    const error = await errorOf(locked(root, 100, 60_000, done))
    expect(error).toMatchObject({ code: 'locked', data: { pid: 4711 } })
    expect(error.message).toContain('process 4711, of another machine or container, still has its lock')
    expect(fs.existsSync(token)).toBe(true)
    // It is remembered since when it has been there: one attempt need not be so long.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await locked(root, 0, 140, done)).toBe('done')
    putLock(root, 'a.md', `${await identityLike({ machine: 7 })}-${randomDigits()}`)
    expect(await locked(root, 10_000, 100, done)).toBe('done')
    expect(treeOf(root)).toEqual({})
  })

  test('a token that another version gives counts as one of an unknown machine', async () => {
    const { root } = temporaryWorkspace()
    const token = putLock(root, 'a.md', `v2 ${randomDigits()}`)
    const error = await errorOf(locked(root, 50, 60_000, done))
    expect(error.code).toBe('locked')
    expect(error.message).toMatch(/^"a.md" could not be locked: others still have its lock after \d+ ms\.$/)
    expect(fs.existsSync(token)).toBe(true)
    expect(await locked(root, 0, 0, done)).toBe('done')
  })

  test('an empty directory that was left behind is taken', async () => {
    const { root, inRoot } = temporaryWorkspace()
    fs.mkdirSync(inRoot(lock))
    expect(await locked(root, 0, 1e9, done)).toBe('done')
    expect(treeOf(root)).toEqual({})
  })

  test('what is foreign in it goes if it can, and is named if it cannot', async () => {
    const { root, inRoot, beside } = temporaryWorkspace()
    const outside = beside('kept.md', 'kept')
    fs.mkdirSync(inRoot(`${lock}/empty`), { recursive: true })
    fs.writeFileSync(inRoot(`${lock}/.DS_Store`), 'x')
    fs.symlinkSync(outside, inRoot(`${lock}/link`))
    expect(await locked(root, 0, 1e9, done)).toBe('done')
    expect(treeOf(root)).toEqual({})
    expect(fs.readFileSync(outside, 'utf8')).toBe('kept')

    // While somebody holds it, nobody looks.
    const litter = doing(() => fs.writeFileSync(inRoot(`${lock}/.DS_Store`), 'x'))
    await locked(root, 0, 0, litter)
    expect(treeOf(root)).toEqual({ [lock]: '(folder)', [`${lock}/.DS_Store`]: 'x' })
    expect(await locked(root, 0, 0, done)).toBe('done')

    fs.mkdirSync(inRoot(`${lock}/full/x`), { recursive: true })
    await expect(locked(root, 0, 0, done)).rejects.toMatchObject({
      outcome: { reason: 'io', detail: `its lock "${lock}" holds "full", which is to be removed` },
    })
    expect(Object.keys(treeOf(root))).toEqual([lock, `${lock}/full`, `${lock}/full/x`])
  })

  test('a file or a link in its place is named, and left alone', async () => {
    const { folder, root, inRoot } = temporaryWorkspace({ [lock]: 'x' })
    const refusal = { outcome: { reason: 'io', detail: `"${lock}" stands beside it and is no directory` } }
    await expect(locked(root, 100, 0, done)).rejects.toMatchObject(refusal)
    fs.rmSync(inRoot(lock))
    fs.mkdirSync(`${folder}/outside`)
    const token = tokenFile(someToken(await identityLike({ machine: 7 })))
    fs.writeFileSync(`${folder}/outside/${token}`, '')
    fs.symlinkSync(`${folder}/outside`, inRoot(lock))
    await expect(locked(root, 100, 0, done)).rejects.toMatchObject(refusal)
    expect(treeOf(root)).toEqual({ [lock]: `-> ${folder}/outside` })
    expect(fs.readdirSync(`${folder}/outside`)).toEqual([token])
  })

  test('a directory behind a link is never gone into', async () => {
    const { folder, root, inRoot } = temporaryWorkspace()
    fs.symlinkSync(folder, inRoot('link'))
    fs.mkdirSync(inRoot('real'))
    const use = (name: string) =>
      inOpenFolder(root, confirmation, (opened) =>
        withSubfolder(
          opened,
          name,
          doing(() => 'gone into'),
        ),
      )
    await expect(use('link')).rejects.toMatchObject({ outcome: { reason: 'io' } })
    expect(await use('real')).toBe('gone into')
    expect(await use('none')).toBeUndefined()
  })

  test('who lost it is told so, and takes nothing from who has it now', async () => {
    const { root, inRoot } = temporaryWorkspace()
    const outcome = locked(root, 0, 0, function* (held) {
      fs.rmSync(inRoot(lock), { recursive: true })
      putLock(root, 'a.md', someToken('0'.repeat(28)))
      yield* held.confirm()
    })
    await expect(outcome).rejects.toEqual(new Interruption({ state: 'replaced' }))
    expect(Object.keys(treeOf(root))).toHaveLength(2)
  })

  test('the error of the work is the one that is thrown, and the lock is given back', async () => {
    const { root } = temporaryWorkspace()
    const fail = doing(() => {
      throw new Error('of the work')
    })
    await expect(locked(root, 0, 0, fail)).rejects.toThrow('of the work')
    expect(treeOf(root)).toEqual({})
    intercept(['unlink', 'unlinkSync', 'rmdir', 'rmdirSync'], () => () => {
      throw systemError('EIO')
    })
    await expect(locked(root, 0, 0, fail)).rejects.toThrow('of the work')
  })

  test('a fault at each call of it: no lock is held, and nothing stays that is not swept', async () => {
    const descriptors = openDescriptors()
    const living = await identityLike({})
    const { root } = temporaryWorkspace()
    const scenarios: Readonly<Record<string, () => Promise<void> | void>> = {
      free: () => {},
      empty: () => fs.mkdirSync(`${root}/${lock}`),
      dead: async () => void putLock(root, 'a.md', someToken(await identityLike({ pid: 2 ** 22 + 1 }))),
    }
    for (const [scenario, prepare] of Object.entries(scenarios)) {
      // By path the calls are more and others; what an error says of them is the same.
      for (const code of confirmation === 'path' ? ['EIO'] : ['EIO', 'EACCES', 'EMFILE']) {
        let faults = 0
        for (let at = 1, isOver = false; !isOver; at++) {
          await prepare()
          const where = `${scenario}, ${code} at call ${at}`
          const outcome = await inOpenFolder(root, confirmation, function* (folder) {
            const limits = { timeoutMs: 1_000, watchMs: 1e9 }
            const faulty = withFault(withWatchedLock(folder, 'a.md', limits, done), at, code)
            let error: unknown
            try {
              yield* faulty.work
            } catch (thrown) {
              error = thrown
            }
            isOver = !faulty.hit
            return error
          })
          if (outcome !== undefined) {
            expect(outcome, where).toMatchObject({ code })
            faults++
          }
          // This process lives, so nobody would take away what it left.
          expect(Object.keys(treeOf(root)).join(), where).not.toContain(living)
          // Nobody is in the way of the next one.
          expect(await locked(root, 0, 1e9, done), where).toBe('done')
          await inOpenFolder(root, confirmation, sweepLeftovers)
          expect(treeOf(root), where).toEqual({})
        }
        expect(faults, scenario).toBeGreaterThan(5)
      }
    }
    expect(openDescriptors()).toBe(descriptors)
  }, 120_000)

  test('what could not be given back is broken by the next one of the process', async () => {
    const { root } = temporaryWorkspace()
    let putBack = () => {}
    const stick = doing(() => {
      putBack = intercept(['unlink', 'unlinkSync'], () => () => {
        throw systemError('EIO')
      })
      return 'done'
    })
    expect(await locked(root, 0, 0, stick)).toBe('done')
    putBack()
    expect(Object.keys(treeOf(root))).toHaveLength(2)
    expect(await locked(root, 0, 1e9, done)).toBe('done')
    expect(treeOf(root)).toEqual({})
  })

  test('on Windows nothing is renamed over a directory', async () => {
    const { root, inRoot } = temporaryWorkspace()
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
    onTestFinished(() => void Object.defineProperty(process, 'platform', platform))
    await identityLike({})
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
    intercept(['rename', 'renameSync'], (_, original) => (...args) => {
      if (fs.existsSync(String(args[1]))) throw systemError('EPERM')
      return original(...args)
    })
    fs.mkdirSync(inRoot(lock))
    expect(await locked(root, 0, 1e9, done)).toBe('done')
    putLock(root, 'a.md', someToken(await identityLike({})))
    expect(await errorOf(locked(root, 50, 1e9, done))).toMatchObject({ code: 'locked', data: { pid: process.pid } })
    fs.rmSync(inRoot(lock), { recursive: true })
    intercept(['rename', 'renameSync'], () => () => {
      throw systemError('EPERM')
    })
    await expect(locked(root, 50, 1e9, done)).rejects.toMatchObject({ code: 'EPERM' })
    expect(treeOf(root)).toEqual({})
  })
})

test('files of other names are other locks, and names that a disk may take for one are one', async () => {
  const { root } = temporaryWorkspace()
  const both = await inOpenFolder(root, 'descriptor', (folder) =>
    withLock(folder, 'a.md', 0, () => withLock(folder, 'b.md', 0, done)),
  )
  expect(both).toBe('done')
  const same = ['Résumé ΣΑΣ.md', 'RÉSUMÉ σας.MD', 'résumé σας.md'.normalize('NFD')]
  expect(new Set(same.map(lockName)).size).toBe(1)
  const long = ['x', 'y'].map((end) => lockName('日'.repeat(80) + end))
  expect(new Set(long).size).toBe(2)
  for (const name of long) expect(Buffer.byteLength(name)).toBeLessThan(140)
})

test.skipIf(process.platform !== 'linux')('it is as open as the folder, so that others can break it', async () => {
  const { root } = temporaryWorkspace()
  const modeOfLock = doing(() => fs.statSync(`${root}/${lock}`).mode & 0o1777)
  for (const mode of [0o777, 0o1777, 0o700, 0o750]) {
    fs.chmodSync(root, mode)
    const found = await inOpenFolder(root, 'descriptor', (folder) => withLock(folder, 'a.md', 0, modeOfLock))
    expect(found).toBe(mode)
  }
})

test.skipIf(process.getuid?.() !== 0)('the lock of a dead process of another user is broken', async () => {
  const { folder, root } = temporaryWorkspace()
  const modules = modulesIn(folder)
  fs.chmodSync(folder, 0o755)
  fs.chmodSync(root, 0o777)
  await kill(await startHolder(modules, root))
  const script = `
    process.setgroups([]); process.setgid(65534); process.setuid(65534)
    await inLock(function* () { say('in as ' + process.getuid()) })
  `
  const [line] = await once(startProcess(script, modules, root).stdout, 'data')
  expect(line).toBe('in as 65534\n')
})

function randomDigits(): string {
  return Math.floor(Math.random() * 1e12)
    .toString()
    .padStart(12, '0')
}
