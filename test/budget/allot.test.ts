import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allot, type Demand } from '../../src/budget/allot.js'

const never = Number.POSITIVE_INFINITY
const demand = fc
  .record({
    full: fc.nat(3_000),
    minimum: fc.constantFrom(0, 100, 400, 3_000),
    priority: fc.constantFrom(10, 20, 80, never),
    late: fc.boolean(),
  })
  .map(({ full, minimum, ...rest }): Demand => ({ full, minimum: Math.min(full, minimum), ...rest }))
const demands = fc.array(demand, { maxLength: 8 })
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
const untouchable = (given: readonly Demand[]) =>
  sum(given.map(({ priority, full }) => (priority === never ? full : 0)))

describe('dividing a total', () => {
  it.each<[string, number, number, Demand[], number[]]>([
    ['gives all what they ask for', 5_000, 0, [of(900, 10), of(500, 20)], [900, 500]],
    ['takes from the lowest priority first', 2_000, 0, [of(1_500, 110), of(900, 20)], [1_500, 500]],
    ['leaves each its minimum', 1_000, 0, [of(1_600, 110), of(900, 20)], [600, 400]],
    ['drops the lowest where minimums do not fit', 1_000, 0, [of(900, 110), of(900, 20), of(900, 10)], [600, 400, 0]],
    ['drops what is below as well', 900, 0, [of(900, 110), of(900, 20), of(10, 10), of(900, 90)], [490, 0, 0, 410]],
    ['divides fairly within a priority', 3_000, 0, [of(600, 20), of(2_000, 20), of(2_000, 20)], [600, 1_150, 1_250]],
    ['never takes from what never yields', 1_000, 0, [of(900, never), of(900, 20)], [900, 0]],
    ['keeps the reserve for late ones', 2_000, 300, [of(9_000, 20), of(100, never, true)], [1_700, 100]],
    ['takes more than the reserve in whole steps', 2_000, 300, [of(9_000, 20), of(310, never, true)], [1_600, 310]],
    ['lets late ones that yield draw on the reserve', 2_000, 300, [of(9_000, 20), of(200, 70, true)], [1_700, 200]],
  ])('%s', (_what, total, reserve, given, expected) => {
    expect(allot(total, reserve, given)).toEqual(expected)
  })

  it('never gives more than there is, nor more than a need, nor less than a minimum', () => {
    fc.assert(
      fc.property(fc.nat(8_000), fc.nat(1_000), demands, (total, reserve, given) => {
        fc.pre(untouchable(given) <= total)
        const amounts = allot(total, reserve, given)
        expect(sum(amounts)).toBeLessThanOrEqual(total)
        amounts.forEach((amount, index) => {
          const { full, minimum, priority } = given[index] as Demand
          expect(Number.isInteger(amount)).toBe(true)
          expect(amount).toBeLessThanOrEqual(full)
          if (priority === never) expect(amount).toBe(full)
          else if (amount !== 0) expect(amount).toBeGreaterThanOrEqual(minimum)
        })
      }),
    )
  })

  it('cuts nothing where all fits beside the reserve', () => {
    fc.assert(
      fc.property(fc.nat(1_000), demands, (reserve, given) => {
        const late = sum(given.map(({ full, late }) => (late ? full : 0)))
        const total = sum(given.map(({ full }) => full)) + Math.max(0, reserve - late)
        expect(allot(total, reserve, given)).toEqual(given.map(({ full }) => full))
      }),
    )
  })

  it('drops nothing while another of its priority has more than its minimum, or a lower one is there', () => {
    fc.assert(
      fc.property(fc.nat(8_000), fc.nat(1_000), demands, (total, reserve, given) => {
        fc.pre(untouchable(given) <= total)
        const amounts = allot(total, reserve, given)
        const dropped = given.filter(({ minimum }, index) => minimum > 0 && amounts[index] === 0)
        given.forEach((other, index) => {
          const amount = amounts[index] ?? 0
          for (const { priority } of dropped) {
            if (other.priority === priority && !other.late) expect(amount).toBeLessThanOrEqual(other.minimum)
            if (other.priority < priority && other.minimum > 0) expect(amount).toBe(0)
          }
        })
      }),
    )
  })

  it('leaves less than a step unused while anything is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_000, max: 9_000 }),
        fc.array(demand.filter(({ late }) => !late)),
        (total, given) => {
          fc.pre(untouchable(given) <= total)
          const amounts = allot(total, 0, given)
          const isCut = given.some(({ full }, index) => (amounts[index] ?? 0) < full)
          const isDropped = given.some(({ minimum }, index) => minimum > 0 && amounts[index] === 0)
          if (isCut && !isDropped) expect(total - sum(amounts)).toBeLessThanOrEqual(Math.floor(total / 20))
        },
      ),
    )
  })

  it('moves an earlier cut at most five times while a later section grows by 50 lines', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 16_000, max: 60_000 }),
        fc.array(
          demand.map((one) => ({ ...one, late: false, full: one.full * 4 })),
          { minLength: 1, maxLength: 6 },
        ),
        fc.constantFrom(10, 20, 80),
        fc.integer({ min: 400, max: 20_000 }),
        (total, before, priority, size) => {
          fc.pre(untouchable(before) <= total / 2)
          const seen = before.map(() => new Set<number>())
          for (let line = 0; line <= 50; line += 1) {
            const growing = { full: size + line * 60, minimum: 400, priority, late: false }
            allot(total, 0, [...before, growing]).forEach((amount, index) => {
              seen[index]?.add(amount)
            })
          }
          // One more for a section that goes from whole to cut.
          for (const amounts of seen) expect(amounts.size - 1).toBeLessThanOrEqual(6)
        },
      ),
    )
  })

  it('takes as long as there are sections', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => of(1_000 + (index % 7), 10 + (index % 500)))
    const amounts = allot(9_000_000, 0, many)
    expect(sum(amounts)).toBeLessThanOrEqual(9_000_000)
  })
})

function of(full: number, priority: number, late = false): Demand {
  return { full, minimum: Math.min(full, 400), priority, late }
}
