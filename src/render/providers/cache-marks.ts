import { countTokens } from '../../budget/count-tokens.js'
import { describe, refuse } from '../../validation.js'
import { type Block, blocksOf, type ProviderPrompt, stabilities } from './blocks.js'
import { type CacheOptions, type CachePoint, type CacheRules, checkCache, pointsOf, ttlOf } from './cache-options.js'
import { minimumTokensFor } from './minimum-tokens.js'

export interface CacheMark<Ttl extends string> {
  readonly ttl?: Ttl
}

/** A block, and the mark that stands behind it. */
export interface MarkedBlock<Ttl extends string> {
  readonly text: string
  readonly mark?: CacheMark<Ttl>
}

/** The blocks of a prompt with their marks; with `cache: false` one block, as nothing else needs them apart. */
export function markedBlocks<Ttl extends string>(
  where: string,
  prompt: ProviderPrompt,
  cache: CacheOptions<Ttl> | false,
  rules: CacheRules<Ttl>,
): readonly MarkedBlock<Ttl>[] {
  if (cache !== false && (typeof cache !== 'object' || cache === null || Array.isArray(cache))) {
    refuse(where, [{ path: 'cache', message: `expected cache options or false, got ${describe(cache)}` }])
  }
  const blocks = blocksOf(where, prompt)
  if (cache === false) return blocks.length === 0 ? [] : [{ text: prompt.text }]
  checkCache(where, cache, rules)
  const marks = marksOf(blocks, cache, rules)
  return blocks.map(({ text }, index) => {
    const mark = marks.get(index)
    return mark === undefined ? { text } : { text, mark }
  })
}

/** The marks by the index of the block that they stand behind. */
function marksOf<Ttl extends string>(
  blocks: readonly Block[],
  cache: CacheOptions<Ttl>,
  rules: CacheRules<Ttl>,
): ReadonlyMap<number, CacheMark<Ttl>> {
  const marks = new Map<number, CacheMark<Ttl>>()
  const minimum = minimumTokensFor(cache.model, cache.minimumTokens, rules.minimum)
  for (const point of pointsOf(cache)) {
    const index = lastBlockOf(blocks, point)
    // Of two marks on one place the first stays, whose ttl is the longer.
    if (index < 0 || marks.has(index)) continue
    const prefix = blocks.slice(0, index + 1).map((block) => block.text)
    if (countTokens(prefix.join(''), cache.counter).tokens < minimum) continue
    const ttl = ttlOf(cache, point)
    marks.set(index, ttl === undefined ? {} : { ttl })
  }
  const surplus = Math.max(0, marks.size - (cache.maxMarks ?? marks.size))
  return new Map([...marks].slice(surplus))
}

function lastBlockOf(blocks: readonly Block[], point: CachePoint): number {
  return blocks.findLastIndex(({ stability }) => stabilities.indexOf(stability) <= stabilities.indexOf(point))
}
