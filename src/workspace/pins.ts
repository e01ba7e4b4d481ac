/** What was seen first, by key, and the questions that are still under way. */
export interface Pins<Value> {
  get(key: string): Value | undefined
  /**
   * Asks and keeps of the answers what lasts. Of questions that overlap the first answer counts, for all of them; an
   * answer whose key was forgotten while it was under way is given and not kept.
   */
  ask(keys: readonly string[], question: () => Promise<ReadonlyMap<string, Value>>): Promise<ReadonlyMap<string, Value>>
  forget(matches: (key: string) => boolean): void
}

export function createPins<Value>(lasts: (value: Value) => boolean): Pins<Value> {
  const known = new Map<string, Value>()
  /** Of each question under way, the keys that it may still answer for good. */
  const asking = new Set<Set<string>>()

  const forgetIn = (keys: Map<string, Value> | Set<string>, matches: (key: string) => boolean) => {
    for (const key of [...keys.keys()]) if (matches(key)) keys.delete(key)
  }
  const firstOf = (key: string, value: Value): Value => {
    const first = known.get(key)
    if (first !== undefined) return first
    if (lasts(value)) known.set(key, value)
    return value
  }

  return {
    get: (key) => known.get(key),

    async ask(keys, question) {
      const open = new Set(keys)
      asking.add(open)
      try {
        const answers = await question()
        return new Map([...answers].map(([key, value]) => [key, open.has(key) ? firstOf(key, value) : value]))
      } finally {
        asking.delete(open)
      }
    },

    forget(matches) {
      for (const keys of [known, ...asking]) forgetIn(keys, matches)
    },
  }
}
