import fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { started, temporaryFolder } from './soulprompt.js'

type Listener = (paths: readonly string[]) => void

const store = vi.hoisted(() => ({
  hints: true,
  listeners: new Set<(paths: readonly string[]) => void>(),
  closed: 0,
  afterRead: () => {},
}))

/** Hints come when the test gives them, and not by the disk's own doing. */
vi.mock('../../src/adapters/node/index.js', async (original) => {
  const { nodeFileSystem } = await original<typeof import('../../src/adapters/node/index.js')>()
  return {
    nodeFileSystem: (path: string) => {
      const { watch: _, ...files } = nodeFileSystem(path)
      const watch = (listener: Listener) => {
        store.listeners.add(listener)
        return () => store.listeners.delete(listener)
      }
      const close = async () => {
        store.closed += 1
        await files.close()
      }
      const read: typeof files.read = async (...asked) => {
        const readings = await files.read(...asked)
        store.afterRead()
        return readings
      }
      return { ...files, read, ...(store.hints && { watch }), close }
    },
  }
})

const folder = temporaryFolder()
const soul = join(folder, 'SOUL.md')
const hint = () => {
  for (const listener of store.listeners) listener([])
}
/** The command has looked, and waits. */
const settled = () => vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
const look = async () => {
  await settled()
  hint()
  await settled()
}

beforeEach(() => {
  Object.assign(store, { hints: true, closed: 0, afterRead: () => {} })
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(soul, 'Calm.')
  // Time stands still unless a test lets it pass.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-02-16T23:59:50Z') })
})
afterEach(() => vi.useRealTimers())

describe('soulprompt watch, between two looks', () => {
  it('looks when a hint comes, and says nothing where nothing changed', async () => {
    const { stop } = started(['watch', folder])
    await look()
    fs.writeFileSync(soul, 'Dry.')
    await look()
    await look()
    const { out } = await stop()
    expect(out.split('\n').map((line) => line.replace(/^.*: /, '').replace(/\d+/g, 'N'))).toEqual([
      'N sections, N chars',
      'changed persona/SOUL.md  N → N chars',
      'total N sections, N chars',
      '',
    ])
  })

  it('hears a hint that comes during a look', async () => {
    store.afterRead = () => {
      store.afterRead = () => {}
      fs.writeFileSync(soul, 'Quiet and dry.')
      hint()
    }
    const { said, stop } = started(['watch', folder])
    await said((out) => out.includes('changed persona/SOUL.md'))
    expect((await stop()).out).toMatch(/^.*: \d sections.*\nchanged/)
  })

  it('looks every two seconds without any hint', async () => {
    store.hints = false
    const { said, stop } = started(['watch', folder])
    await said((out) => out.includes('chars'))
    fs.writeFileSync(soul, 'Dry.')
    await settled()
    await vi.advanceTimersByTimeAsync(2_000)
    await said((out) => out.includes('changed persona/SOUL.md'))
    expect((await stop()).code).toBe(0)
  })

  it('sees the date change at midnight', async () => {
    const { said, stop } = started(['watch', folder])
    await said((out) => out.includes('chars'))
    vi.setSystemTime(new Date('2026-02-17T00:00:01Z'))
    hint()
    await said((out) => out.includes('changed clock'))
    await stop()
  })

  it('takes a folder that goes away for no change of its files', async () => {
    const { stop } = started(['watch', folder])
    await settled()
    fs.rmSync(folder, { recursive: true })
    await look()
    await look()
    const { out, err } = await stop()
    expect(out).not.toContain('removed')
    expect(err).toBe(`soulprompt: ${folder}: there is no such folder; waiting for it\n`)
  })

  it('says once that a folder is back, also with the same prompt', async () => {
    const { stop } = started(['watch', folder])
    await settled()
    fs.rmSync(folder, { recursive: true })
    await look()
    fs.mkdirSync(folder)
    fs.writeFileSync(soul, 'Calm.')
    await look()
    await look()
    fs.rmSync(folder, { recursive: true })
    await look()
    fs.mkdirSync(folder)
    fs.writeFileSync(soul, 'Dry.')
    await look()
    const { out } = await stop()
    expect(out.split('\n').map((line) => line.replace(folder, 'ws').replace(/\d+/g, 'N'))).toEqual([
      'ws: N sections, N chars',
      'ws: back, N sections, N chars',
      'ws: back, N sections, N chars',
      'changed persona/SOUL.md  N → N chars',
      '',
    ])
  })

  it('greets a folder that was missing at the start with its first line', async () => {
    fs.rmSync(folder, { recursive: true })
    const { stop } = started(['watch', folder])
    await settled()
    fs.mkdirSync(folder)
    fs.writeFileSync(soul, 'Calm.')
    await look()
    const { out } = await stop()
    expect(out.replace(/\d+/g, 'N')).toBe(`${folder}: N sections, N chars\n`.replace(/\d+/g, 'N'))
  })

  it('lets go of everything at the end', async () => {
    const { said, stop } = started(['watch', folder])
    await said((out) => out.includes('chars'))
    expect(store.listeners.size).toBe(1)
    await stop()
    expect(store.listeners.size).toBe(0)
    expect(store.closed).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
