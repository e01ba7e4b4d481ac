/** A cap and what a section costs under it. */
export interface Trial {
  readonly cap: number
  readonly size: number
}

const maxTrials = 24

/**
 * The widest cap found under which a size stays within `allowance`: at least `low`, under which it does, below `high`,
 * under which it does not. Sizes grow with caps about evenly, so each trial is put where the line between the last two
 * meets the allowance; every fourth one halves what is left, in case that they do not. Good to a five-hundredth.
 */
export function widestCap(allowance: number, low: Trial, high: Trial, sizeAt: (cap: number) => number): number {
  let fits = low
  let tooWide = high
  for (let trial = 1; trial <= maxTrials && tooWide.cap - fits.cap > 1; trial += 1) {
    if (allowance - fits.size <= allowance / 500) break
    const span = tooWide.cap - fits.cap
    const part = trial % 4 === 0 ? 1 / 2 : (allowance - fits.size) / (tooWide.size - fits.size)
    const cap = fits.cap + Math.max(1, Math.min(span - 1, Math.floor(span * part)))
    const size = sizeAt(cap)
    if (size <= allowance) fits = { cap, size }
    else tooWide = { cap, size }
  }
  return fits.cap
}

/**
 * As {@link widestCap}, of a row of caps that grow by a twentieth each. Which one it is depends on little more than the
 * allowance, so a text that grows, or holds more tokens a unit than it did, is mostly cut under the same cap.
 */
export function widestStep(allowance: number, low: Trial, high: Trial, sizeAt: (cap: number) => number): number {
  const caps = [low.cap]
  for (let cap = nextStep(low.cap); cap < high.cap; cap = nextStep(cap)) caps.push(cap)
  let [fits, tooWide] = [0, caps.length]
  while (tooWide - fits > 1) {
    const middle = (fits + tooWide) >> 1
    if (sizeAt(caps[middle] as number) <= allowance) fits = middle
    else tooWide = middle
  }
  return caps[fits] as number
}

function nextStep(cap: number): number {
  return Math.max(cap + 1, Math.floor((cap * 21) / 20))
}
