/** What one of several that share a budget asks for, in UTF-16 units. */
export interface Claim {
  /** All it could use. */
  readonly need: number
  /** What is left to it, as far as it needs that much, before anybody gets more. */
  readonly minimum: number
  /** What is higher is served first. */
  readonly priority: number
}

/**
 * Divides `total` among claims: a pure function of sizes.
 *
 *   1. to each its minimum, the highest priority first
 *   2. what is left to those who need more, the highest priority first
 *
 * Within one priority the division is fair: nobody goes short while another has more than its part, and what one does
 * not need flows to the others. Nothing is given beyond a need, and never more than `total` in all.
 *
 * @returns what each claim gets, in their order
 */
export function divide(total: number, claims: readonly Claim[]): readonly number[] {
  const given = claims.map(() => 0)
  const byPriority = new Map<number, number[]>()
  claims.forEach(({ priority }, index) => {
    const equals = byPriority.get(priority)
    if (equals === undefined) byPriority.set(priority, [index])
    else equals.push(index)
  })
  const ranks = [...byPriority].sort(([a], [b]) => b - a).map(([, served]) => served)
  let left = total
  const serve = (wanted: (claim: Claim) => number) => {
    for (const served of ranks) {
      const open = served.map((index) => Math.max(0, wanted(claims[index] as Claim) - (given[index] ?? 0)))
      divideFairly(left, open).forEach((amount, place) => {
        const index = served[place] as number
        given[index] = (given[index] ?? 0) + amount
        left -= amount
      })
    }
  }
  serve(({ need, minimum }) => Math.min(need, minimum))
  serve(({ need }) => need)
  return given
}

/** Each gets what it needs, as long as that is no more than its part of what is left; the smallest is asked first. */
export function divideFairly(total: number, needs: readonly number[]): readonly number[] {
  const amounts = needs.map(() => 0)
  let left = total
  const smallestFirst = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need)
  smallestFirst.forEach(({ need, index }, place) => {
    const amount = Math.min(need, Math.floor(left / (smallestFirst.length - place)))
    amounts[index] = amount
    left -= amount
  })
  return amounts
}
