import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Claim, divide } from '../../src/budget/shares.js'

const claim = fc.record({
  need: fc.nat(3_000),
  minimum: fc.constantFrom(0, 100, 400, 3_000),
  priority: fc.integer({ min: -1, max: 2 }),
})
const claims = fc.array(claim, { maxLength: 8 })
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('dividing a share', () => {
  it.each<[string, number, Claim[], number[]]>([
    ['gives all their need where there is room', 1_500, [of(900, 0), of(500, 1)], [900, 500]],
    ['takes from the lowest priority first', 1_500, [of(1_600, 0), of(900, 1), of(100, 2)], [500, 900, 100]],
    ['leaves each its minimum', 1_000, [of(1_600, 0), of(900, 1)], [400, 600]],
    ['serves minimums by priority where they do not fit', 500, [of(1_600, 0), of(900, 1)], [100, 400]],
    ['divides fairly within a priority', 1_000, [of(100, 0), of(2_000, 0), of(2_000, 0)], [100, 450, 450]],
    ['gives nothing where there is nothing', 0, [of(100, 0), of(1, 1)], [0, 0]],
  ])('%s', (_what, total, given, expected) => {
    expect(divide(total, given)).toEqual(expected)
  })

  it('never gives more than there is, nor more than a need, and wastes nothing', () => {
    fc.assert(
      fc.property(fc.nat(5_000), claims, (total, given) => {
        const amounts = divide(total, given)
        expect(amounts).toHaveLength(given.length)
        amounts.forEach((amount, index) => {
          expect(Number.isInteger(amount)).toBe(true)
          expect(amount).toBeGreaterThanOrEqual(0)
          expect(amount).toBeLessThanOrEqual(given[index]?.need ?? 0)
        })
        expect(sum(amounts)).toBe(Math.min(total, sum(given.map(({ need }) => need))))
      }),
    )
  })

  it('lets nobody go short while another of its priority has more than its part', () => {
    fc.assert(
      fc.property(fc.nat(5_000), claims, (total, given) => {
        const amounts = divide(total, given)
        given.forEach((one, index) => {
          given.forEach((other, place) => {
            const [mine, theirs] = [amounts[index] ?? 0, amounts[place] ?? 0]
            if (one.priority !== other.priority || one.minimum !== other.minimum || mine >= one.need) return
            // Whole units cannot be divided further.
            expect(theirs).toBeLessThanOrEqual(mine + 2)
          })
        })
      }),
    )
  })

  it('serves a higher priority wholly before a lower one has more than its minimum', () => {
    fc.assert(
      fc.property(fc.nat(5_000), claims, (total, given) => {
        const amounts = divide(total, given)
        given.forEach((high, index) => {
          given.forEach((low, place) => {
            if (high.priority <= low.priority || (amounts[index] ?? 0) >= high.need) return
            expect(amounts[place]).toBeLessThanOrEqual(low.minimum)
          })
        })
      }),
    )
  })
})

function of(need: number, priority: number): Claim {
  return { need, minimum: 400, priority }
}
