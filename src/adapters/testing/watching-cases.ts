import assert from 'node:assert/strict'
import type { FileSystem } from '../../ports/file-system.js'
import { type Case, capable, present } from './under-test.js'

/** How long a change may take to be told, in ms. */
const DEADLINE = 5_000

export const watchingCases: readonly Case[] = [
  {
    name: 'tells of a change made as soon as it watches, of later ones, and of nothing once it is stopped',
    files: { 'a.md': 'A', 'memory/b.md': 'B' },
    needs: ['watch'],
    async check({ files, put, drop }) {
      const first = listenTo(files)
      const second = listenTo(files)
      try {
        for (const listener of [first, second])
          assert.equal(typeof listener.stop, 'function', 'watch returns a function')
        await put('a.md', 'changed')
        await Promise.all([first.hears('a.md'), second.hears('a.md')])
        assert.equal((await present(files, 'a.md')).text, 'changed')
        await put('memory/c.md', 'created')
        await Promise.all([first.hears('memory/c.md'), second.hears('memory/c.md')])

        first.stop()
        first.stop()
        const told = first.told()
        await put('d.md', 'created')
        await drop('memory/b.md')
        await Promise.all([second.hears('d.md'), second.hears('memory/b.md')])
        assert.deepEqual(first.told(), told, 'a listener that was stopped is not called')
      } finally {
        first.stop()
        second.stop()
      }
    },
  },
]

function listenTo(files: FileSystem) {
  const told: string[] = []
  let wake = () => {}
  const stop = capable(
    files,
    'watch',
  )((paths) => {
    told.push(...paths)
    wake()
  })
  /** Waits for the first hint that names the path; rejects when the time is over. */
  const hears = async (path: string) => {
    const timeIsUp = new AbortController()
    const timer = setTimeout(() => timeIsUp.abort(), DEADLINE)
    while (!told.includes(path) && !timeIsUp.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
        timeIsUp.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    clearTimeout(timer)
    assert.ok(told.includes(path), `a change of ${path} is told within ${DEADLINE} ms`)
  }
  return { stop, told: () => [...told], hears }
}
