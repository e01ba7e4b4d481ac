import type { Section } from '../ports/prompt.js'

/** What became of one section between two prompts. Sizes are UTF-16 units. */
export type SectionChange =
  | { readonly kind: 'added' | 'removed' | 'moved'; readonly id: string; readonly chars: number }
  | {
      readonly kind: 'changed'
      readonly id: string
      readonly before: number
      readonly chars: number
      /** Whether it also stands in another place. */
      readonly moved: boolean
    }

type Seen = Pick<Section, 'id' | 'chars' | 'fingerprint'>

/**
 * What changed from one prompt to the next, a change a section: in the order of the later prompt, then what was removed
 * in the order of the earlier. Of sections that changed places as few as possible count as moved.
 */
export function sectionChanges(before: readonly Seen[], after: readonly Seen[]): readonly SectionChange[] {
  const earlier = new Map(keyed(before).map(([key, section], place) => [key, { section, place }]))
  const later = keyed(after)
  const places = later.flatMap(([key]) => earlier.get(key)?.place ?? [])
  const inOrder = new Set(longestRising(places))

  const changes: SectionChange[] = []
  for (const [key, { id, chars, fingerprint }] of later) {
    const known = earlier.get(key)
    if (known === undefined) {
      changes.push({ kind: 'added', id, chars })
      continue
    }
    earlier.delete(key)
    const moved = !inOrder.has(known.place)
    const same = known.section.fingerprint === fingerprint && known.section.chars === chars
    if (!same) changes.push({ kind: 'changed', id, before: known.section.chars, chars, moved })
    else if (moved) changes.push({ kind: 'moved', id, chars })
  }
  for (const { section } of earlier.values()) {
    changes.push({ kind: 'removed', id: section.id, chars: section.chars })
  }
  return changes
}

/** A layer may give several sections one id: the first of that id is compared with the first, and so on. */
export function keyed<Item extends { readonly id: string }>(
  sections: readonly Item[],
): readonly (readonly [string, Item])[] {
  const counts = new Map<string, number>()
  return sections.map((section) => {
    const count = counts.get(section.id) ?? 0
    counts.set(section.id, count + 1)
    return [`${count} ${section.id}`, section]
  })
}

/** A longest rising subsequence of different numbers, in any order. */
function longestRising(numbers: readonly number[]): readonly number[] {
  // Where the lowest number stands that ends a rising run of one, of two, … numbers; and of each, what stands before it.
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, number] of numbers.entries()) {
    let low = 0
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1] ?? -1)
    ends[low] = index
  }
  const longest: number[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) longest.push(numbers[index] ?? 0)
  return longest
}
