import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { countCache } from '../../../src/adapters/tokenizer/count-cache.js'

/** A cache, and what it had to work out. */
function watched(units: number) {
  const worked: string[] = []
  const cache = countCache(units)
  const count = (text: string) =>
    cache.count(text, (asked) => {
      worked.push(asked)
      return asked.length
    })
  return { count, worked }
}

describe('remembered counts', () => {
  it('are worked out once', () => {
    const { count, worked } = watched(1_000)
    expect([count('one'), count('three'), count('one')]).toEqual([3, 5, 3])
    expect(worked).toEqual(['one', 'three'])
  })

  it('go when nobody asked for them during a generation, and stay when somebody did', () => {
    const { count, worked } = watched(1_000)
    count('old')
    for (let index = 0; index < 30; index += 1) count(`first ${index}`)
    count('old')
    for (let index = 0; index < 30; index += 1) count(`second ${index}`)
    count('old')
    expect(worked.filter((text) => text === 'old')).toHaveLength(1)
    count('first 0')
    expect(worked.filter((text) => text === 'first 0')).toHaveLength(2)
  })

  it('are not kept of a text that would drive out the others', () => {
    const { count, worked } = watched(1_000)
    const long = 'x'.repeat(126)
    expect([count(long), count(long)]).toEqual([126, 126])
    expect(worked).toHaveLength(2)
  })

  it('do not keep the text alive that theirs is a part of', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const cache = countCache(1_000_000)
    collect()
    const before = process.memoryUsage().heapUsed
    for (let index = 0; index < 8; index += 1) {
      const whole = `${index}${'y'.repeat(16_000_000)}`.replace('y', 'x')
      expect(cache.count(whole.slice(0, 5_000), (text) => text.length)).toBe(5_000)
    }
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40_000_000)
  })
})
