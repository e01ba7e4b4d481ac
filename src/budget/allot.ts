import { divideFairly } from './shares.js'

/** What one section asks of a total, in chars or tokens with everything that stands around its content. */
export interface Demand {
  /** All of it. */
  readonly full: number
  /** What is left of it before it is dropped; at most `full`. */
  readonly minimum: number
  /** What is lower yields first; `Infinity` never does. */
  readonly priority: number
  /** Of stability `session` or `turn`: it may grow without reshaping what the provider has cached. */
  readonly late: boolean
}

/** How much of a total one step is. Room is given to what is cut in whole steps, so that small growth moves no cut. */
const stepShare = 0.05

/**
 * Divides a total among sections: a pure function of sizes.
 *
 *   ├─ early, never yields ─┼────────── room ──────────┼─── reserve ───┤      total
 *                           early, yields              late: what never yields first, then what yields
 *                            ◄──── what the reserve is too small for, in whole steps
 *
 *   1. late sections that yield draw on what their fellows leave of the reserve
 *   2. the room: to each its minimum, the highest priority first. Where the minimums of one priority do not all fit, the
 *      smallest are served first, of equal ones the last in the prompt; the others are dropped, and so is all that is lower.
 *   3. what is left to those who need more, the highest priority first. Where one priority cannot be served wholly it
 *      divides its room, rounded down to whole steps, fairly among those it must cut, and what is lower stays at its minimum.
 *   4. what rounding left over to the last early section, if it is cut: no cut that anybody has cached stands behind it.
 *
 *      priority   10    20          90      110
 *      before    ▓▓░░  ▓▓░░░░░░░░  ▓▓░░░░  ▓▓░░        ▓ minimum
 *      after     ▓▓    ▓▓░░░       ▓▓░░░░  ▓▓░░        ░ more than that
 *
 * Nothing is cut where all fits beside the reserve. An early cut moves only when what the others need grows by a step: 5 % of the total. Nothing is given beyond a need,
 * and never more than the total in all, if what never yields leaves as much.
 *
 * @param reserve - what early sections may not use
 * @returns what each section gets, in their order; 0 where it is dropped
 */
export function allot(total: number, reserve: number, demands: readonly Demand[]): readonly number[] {
  const [asked, askedLate] = [demands, demands.filter(({ late }) => late)].map((all) =>
    sum(all.map(({ full }) => full)),
  )
  if ((asked as number) + Math.max(0, reserve - (askedLate as number)) <= total) return demands.map(({ full }) => full)
  const step = Math.max(1, Math.floor(total * stepShare))
  const given = demands.map(({ priority, full }) => (priority === Number.POSITIVE_INFINITY ? full : 0))
  const [early, late] = [false, true].map((side) => sum(given.filter((_, index) => demands[index]?.late === side)))
  const held = Math.min(heldFor(late as number, reserve, step), total - (early as number))

  const served = byPriority(demands)
  drawOnReserve(Math.max(0, held - (late as number)), demands, served, given)
  const drawn = [...given]
  const pool = { left: Math.max(0, total - (early as number) - held) }
  const short = serveMinimums(pool, demands, served, given)
  serveMore(pool, step, demands, served, short, given)

  // Late sections took what they needed of the room: to those before them it was as if that came in whole steps.
  const draw = sum(
    given.map((amount, index) => (demands[index]?.late ? Math.max(0, amount - (drawn[index] as number)) : 0)),
  )
  pool.left -= Math.min(pool.left, Math.max(0, roundUp(draw, step) - draw))
  giveRest(pool, demands, short, given)
  return given
}

type Pool = { left: number }

/** The reserve, or more in whole steps where those who never yield need more. */
function heldFor(late: number, reserve: number, step: number): number {
  if (late <= reserve) return reserve
  // Who keeps no reserve wants the room for the files.
  return reserve === 0 ? late : reserve + roundUp(late - reserve, step)
}

/** The indexes of those who yield, by priority, the highest first. */
function byPriority(demands: readonly Demand[]): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>()
  demands.forEach(({ priority }, index) => {
    if (priority === Number.POSITIVE_INFINITY) return
    const group = groups.get(priority)
    if (group === undefined) groups.set(priority, [index])
    else group.push(index)
  })
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group)
}

function drawOnReserve(
  free: number,
  demands: readonly Demand[],
  served: readonly (readonly number[])[],
  given: number[],
) {
  let left = free
  for (const group of served) {
    const late = group.filter((index) => demands[index]?.late)
    const amounts = divideFairly(
      left,
      late.map((index) => (demands[index] as Demand).full),
    )
    late.forEach((index, place) => {
      given[index] = amounts[place] as number
      left -= amounts[place] as number
    })
  }
}

/** @returns the priority of which some were dropped, if any; all that is lower is dropped as well */
function serveMinimums(
  pool: Pool,
  demands: readonly Demand[],
  served: readonly (readonly number[])[],
  given: number[],
): number | undefined {
  let short: number | undefined
  for (const group of served) {
    const isBelow = short !== undefined
    const missing = (index: number) => Math.max(0, (demands[index] as Demand).minimum - (given[index] as number))
    for (const index of [...group].sort((a, b) => missing(a) - missing(b) || b - a)) {
      const { priority } = demands[index] as Demand
      if (!isBelow && missing(index) <= pool.left) {
        pool.left -= missing(index)
        given[index] = (given[index] as number) + missing(index)
      } else {
        given[index] = 0
        short ??= priority
      }
    }
  }
  return short
}

function serveMore(
  pool: Pool,
  step: number,
  demands: readonly Demand[],
  served: readonly (readonly number[])[],
  short: number | undefined,
  given: number[],
): void {
  for (const group of served) {
    // While one of a priority is dropped, its fellows have no more than their minimum.
    if (short !== undefined && (demands[group[0] as number] as Demand).priority <= short) return
    const wanted = group.map((index) => (demands[index] as Demand).full - (given[index] as number))
    const fair = divideFairly(pool.left, wanted)
    const isCut = wanted.map((want, place) => want > (fair[place] as number))
    const cuts = isCut.filter(Boolean).length
    const whole = sum(wanted.filter((_, place) => !isCut[place]))
    const each = cuts === 0 ? 0 : Math.floor(roundDown(pool.left - whole, step) / cuts)
    group.forEach((index, place) => {
      const amount = isCut[place] ? each : (wanted[place] as number)
      given[index] = (given[index] as number) + amount
      pool.left -= amount
    })
    if (cuts > 0) return
  }
}

function giveRest(pool: Pool, demands: readonly Demand[], short: number | undefined, given: number[]): void {
  for (const late of [false, true]) {
    const last = demands.findLastIndex(
      (demand, index) => demand.late === late && Number.isFinite(demand.priority) && (given[index] as number) > 0,
    )
    const { priority } = demands[last] ?? {}
    if (priority === undefined || (short !== undefined && priority <= short)) continue
    const amount = Math.min(pool.left, (demands[last] as Demand).full - (given[last] as number))
    given[last] = (given[last] as number) + amount
    pool.left -= amount
  }
}

function roundUp(amount: number, step: number): number {
  return Math.ceil(amount / step) * step
}

function roundDown(amount: number, step: number): number {
  return Math.floor(amount / step) * step
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
