import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../../../src/adapters/node/drivers.js'
import { lockName, makerOf, newToken, temporaryName, tokenOfTemporary } from '../../../src/adapters/node/own-names.js'
import {
  formatIdentity,
  ownIdentity,
  type ProcessIdentity,
  type ProcessState,
  parseIdentity,
  stateOf,
} from '../../../src/adapters/node/process-identity.js'
import { kill, modulesIn, startProcess, withFault } from './locking.js'
import { temporaryWorkspace } from './workspace.js'

const own = () => run(ownIdentity(), undefined)

const state = (identity: ProcessIdentity): Promise<ProcessState> => run(stateOf(identity), undefined)

const identities = fc.record({
  machine: fc.nat(2 ** 48 - 1),
  start: fc.nat(10 ** 12 - 1),
  pid: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
})

test('an identity comes back from its text, and nothing else is one', () => {
  fc.assert(
    fc.property(identities, (identity) => {
      const text = formatIdentity(identity)
      expect(text).toMatch(/^\d{28,37}$/)
      expect(parseIdentity(text)).toEqual(identity)
      for (const other of [` ${text}`, `${text}\n`, `${text}x`, text.slice(0, 27), `${text.slice(0, 27)}0`]) {
        expect(parseIdentity(other)).toBeUndefined()
      }
    }),
  )
})

test('this process is alive, under one identity that tells it from others', async () => {
  const identity = await own()
  expect(identity.pid).toBe(process.pid)
  expect(await own()).toBe(identity)
  expect(await state(identity)).toBe('alive')
  expect(await state({ ...identity, machine: identity.machine + 1 })).toBe('unknown')
  // A number that no system gives.
  expect(await state({ ...identity, pid: 2 ** 30 })).toBe('dead')
  if (process.platform === 'linux') {
    expect(identity.start).toBeGreaterThan(0)
    expect(await state({ ...identity, start: identity.start + 1 })).toBe('dead')
  }
})

test('another process has another identity, and is dead when it is killed', async () => {
  const { folder, root } = temporaryWorkspace()
  const script = 'say(formatIdentity(await run(ownIdentity()))); setInterval(() => {}, 1e6)'
  const child = startProcess(script, modulesIn(folder), root)
  const [line] = (await once(child.stdout, 'data')) as [string]
  const identity = parseIdentity(line.trim())
  if (identity === undefined) throw new Error(line)
  expect(identity).toMatchObject({ pid: child.pid, machine: (await own()).machine })
  expect(await state(identity)).toBe('alive')
  child.kill('SIGSTOP')
  expect(await state(identity)).toBe('alive')
  await kill(child)
  expect(await state(identity)).toBe('dead')
})

test.skipIf(process.platform !== 'linux')('one that ended, and whose parent takes no notice, is dead', async () => {
  // The shell becomes a program that never asks what became of its child.
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(line)
  const statusOf = () => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const identity = { ...(await own()), pid, start: Number(statusOf()[19]) }
  expect(await state(identity)).toBe('alive')
  await vi.waitFor(() => expect(fs.readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'))
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(statusOf()[0]).toBe('Z'))
  expect(await state(identity)).toBe('dead')
})

test('one that may not be asked is alive', async () => {
  const identity = await own()
  const spy = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
  })
  onTestFinished(() => spy.mockRestore())
  expect(await state({ ...identity, start: 0 })).toBe('alive')
  expect(await state(identity)).toBe('alive')
  // Its file is hidden.
  expect(await run(withFault(stateOf(identity), 1, 'ENOENT').work, undefined)).toBe('alive')
})

test('a Linux that does not say who is who: nobody takes its processes for dead', async () => {
  const before = await own()
  for (let at = 1, isOver = false; !isOver; at++) {
    vi.resetModules()
    const fresh = await import('../../../src/adapters/node/process-identity.js')
    const faulty = withFault(fresh.ownIdentity(), at, 'EACCES')
    const identity = await run(faulty.work, undefined)
    isOver = !faulty.hit
    expect(identity.pid).toBe(process.pid)
    if (!isOver) {
      // As another one that cannot find out either sees it.
      const judging = withFault(fresh.stateOf({ ...identity, pid: 2 ** 30 }), at, 'EACCES')
      expect(await run(judging.work, undefined)).toBe('unknown')
      expect(await state({ ...identity, pid: 2 ** 30 })).toBe('unknown')
    }
    // It is asked again.
    expect(await run(fresh.ownIdentity(), undefined)).toEqual(before)
  }
})

test('names are short, and say who made them', async () => {
  const token = await run(newToken(), undefined)
  expect(makerOf(token)).toEqual(await own())
  expect(makerOf(await run(newToken(), undefined))).toEqual(await own())
  expect(await run(newToken(), undefined)).not.toBe(token)
  const longest = `${formatIdentity({ machine: 2 ** 48 - 1, start: 10 ** 12 - 1, pid: 2 ** 32 - 1 })}-0123456789ab`
  for (const name of [
    'a',
    '日'.repeat(85),
    '😀'.repeat(60),
    `${'x'.repeat(31)}😀`,
    '\u0958'.repeat(85),
    'ﬃ'.repeat(85),
  ]) {
    expect(Buffer.byteLength(temporaryName(name, longest))).toBeLessThan(255)
    expect(Buffer.byteLength(lockName(name))).toBeLessThan(255)
    expect(temporaryName(name, longest).isWellFormed()).toBe(true)
    for (const form of ['NFC', 'NFD']) {
      expect(tokenOfTemporary(temporaryName(name, token).normalize(form))).toBe(token)
    }
  }
})
