/** UTF-16 units that an entry is charged with besides its text, for what the map needs. */
const ENTRY = 32
/** A longer text than this part of a generation would drive out too much else. */
const LARGEST_SHARE = 1 / 8

export interface CountCache {
  /** Remembered, or worked out. */
  count(text: string, work: (text: string) => number): number
}

/**
 * Remembers the counts of texts, in two generations of `units` UTF-16 units each: what was asked for since the last
 * change of generation stays at the next one, the rest goes.
 */
export function countCache(units: number): CountCache {
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let room = units

  function remember(text: string, count: number): void {
    if (text.length > units * LARGEST_SHARE) return
    young.set(ownCopy(text), count)
    room -= text.length + ENTRY
    if (room > 0) return
    old = young
    young = new Map()
    room = units
  }
  return {
    count(text, work) {
      const known = young.get(text)
      if (known !== undefined) return known
      const count = old.get(text) ?? work(text)
      remember(text, count)
      return count
    },
  }
}

/** A part of a string keeps the whole of it alive; a part of a joined one, that alone. */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1)
}
