import { expect, it, vi } from 'vitest'

const loads = vi.hoisted(() => ({ tables: 0, reads: 0, fails: true }))

vi.mock('gpt-tokenizer/bpeRanks/o200k_base', () => {
  loads.tables += 1
  return {
    get default() {
      if (loads.fails) throw new Error('no such table')
      loads.reads += 1
      return ['a', 'b', 'ab']
    },
  }
})

it('loads a table when a counter is made and not before, once for all, and again after a failure', async () => {
  const { gptTokenCounter } = await import('soulprompt/tokenizer')
  expect(loads.tables).toBe(0)

  await expect(gptTokenCounter()).rejects.toThrow('no such table')
  loads.fails = false
  const [one, two] = await Promise.all([gptTokenCounter(), gptTokenCounter('o200k_harmony')])
  expect(loads.reads).toBe(1)
  expect([one.count('abab'), two.count('aab')]).toEqual([2, 2])
})
