import { PromptError } from '../errors.js'
import type { Measure } from './measure.js'

interface Named {
  readonly id: string
  readonly size: number
}

/** Throws `budget-too-small` where what never yields has no room. It says by how much, and which parts they are. */
export function checkUntouchable(
  sections: readonly Named[],
  { limit, tools, measure }: { readonly limit: number; readonly tools: number; readonly measure: Measure },
): void {
  const parts = [...sections, { id: 'tool definitions', size: tools }]
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size)
  const needed = parts.reduce((sum, { size }) => sum + size, 0)
  if (needed <= limit) return
  const { unit, counter } = measure
  const named = parts.slice(0, 8).map(({ id, size }) => `${id} ${size}`)
  if (parts.length > named.length) named.push(`${parts.length - named.length} more`)
  const by = counter === undefined ? '' : ` by ${counter.name}`
  const message = `The parts that never yield have ${needed} ${unit}${by}, ${needed - limit} over the total of ${limit}: ${named.join(', ')}.`
  throw new PromptError('budget-too-small', message, {
    data: { unit, limit, needed, over: needed - limit, exact: measure.exact, parts },
  })
}
