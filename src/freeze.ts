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
