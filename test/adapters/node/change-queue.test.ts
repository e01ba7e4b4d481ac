import { expect, test } from 'vitest'
import { changeQueue } from '../../../src/adapters/node/change-queue.js'

test('tasks of one key run one after another, whatever becomes of them; those of others beside them', async () => {
  const queue = changeQueue()
  const events: string[] = []
  const task =
    (name: string, fails = false) =>
    async () => {
      events.push(`${name} starts`)
      await new Promise(setImmediate)
      events.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    }
  const turns = [
    queue.inTurn('a', task('first', true)),
    queue.inTurn('a', task('second')),
    queue.inTurn('b', task('other')),
    queue.inTurn('a', task('third')),
  ]
  const outcomes = await Promise.allSettled(turns)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  const ofA = events.filter((event) => !event.startsWith('other'))
  expect(ofA).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} starts`, `${name} ends`]))
  expect(events.indexOf('other starts')).toBeLessThan(events.indexOf('first ends'))
})

test('no key is kept when its tasks are over', async () => {
  const queue = changeQueue()
  const turns = Array.from({ length: 1_000 }, (_, index) => queue.inTurn(String(index % 100), async () => index))
  expect(queue.size).toBe(100)
  expect(await Promise.all(turns)).toHaveLength(1_000)
  await new Promise(setImmediate)
  expect(queue.size).toBe(0)
  expect(await queue.inTurn('1', async () => 'again')).toBe('again')
})
