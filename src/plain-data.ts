/** Freezes plain data, all the way down. */
export function freezeDeep<Value>(value: Value, seen: WeakSet<object> = new WeakSet()): Value {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value
  seen.add(value)
  Object.freeze(value)
  for (const inner of Object.values(value)) freezeDeep(inner, seen)
  return value
}

/** One object of several, the later ones over the earlier; a field that is `undefined` says nothing. */
export function merged<Value extends object>(...objects: readonly (Partial<Value> | undefined)[]): Value {
  const fields = objects.flatMap((object) => Object.entries(object ?? {}))
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Value
}

/** A list that nobody can change: the one given where it is that already. */
export function frozenList<Item>(items: readonly Item[]): readonly Item[] {
  return Object.isFrozen(items) ? items : Object.freeze([...items])
}

/** What is known of a key, worked out the first time that it is asked for. */
export function once<Key extends object, Value>(cache: WeakMap<Key, Value>, key: Key, compute: () => Value): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = compute()
  cache.set(key, value)
  return value
}
