/** Values by key, of which those that were set longest ago go first. */
export interface RecentValues<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** @param limit At most so many entries, and so many UTF-16 units of text in them. */
export function recentValues<Value>(limit: {
  readonly entries: number
  readonly units: number
  readonly unitsOf: (value: Value) => number
}): RecentValues<Value> {
  const all = new Map<string, { readonly value: Value; readonly units: number }>()
  let units = 0
  const drop = (key: string) => {
    units -= all.get(key)?.units ?? 0
    all.delete(key)
  }
  return {
    get: (key) => all.get(key)?.value,
    set(key, value) {
      drop(key)
      const own = limit.unitsOf(value)
      all.set(key, { value, units: own })
      units += own
      for (const oldest of all.keys()) {
        if (all.size <= limit.entries && units <= limit.units) break
        drop(oldest)
      }
    },
  }
}
