/** Pairs for which room is kept. */
const ROOM = 4_096

/** Where pairs wait to be merged. */
export interface RankQueue {
  add(rank: number, start: number): void
  /** Takes the pair of the lowest rank, of equals the first in the text. `undefined`: there is none. */
  take(): { readonly rank: number; readonly start: number } | undefined
}

/**
 * Takes all pairs of the lowest rank at once, in the order of the text. A heap holds the ranks and not the pairs: of a
 * long text there are few different ones at a time, which keeps it small.
 */
export function rankQueue(ranks: number): RankQueue {
  /** Chains of pairs, by rank: the last that was added, and of each the one before it. -1: none. */
  const last = new Int32Array(ranks).fill(-1)
  let starts = new Int32Array(ROOM)
  let chain = new Int32Array(ROOM)
  let added = 0
  const heap: number[] = []
  /** The chains that were taken. A lower rank that comes up meanwhile is laid on top. */
  const batches: Batch[] = []
  const taken = { rank: 0, start: 0 }

  function open(rank: number): Batch {
    const { first, isSorted } = reversed(last[rank] ?? -1, starts, chain)
    last[rank] = -1
    if (!isSorted) sort(first, starts, chain)
    const batch = { rank, next: first }
    batches.push(batch)
    return batch
  }
  function clear() {
    added = 0
    if (starts.length === ROOM) return
    starts = new Int32Array(ROOM)
    chain = new Int32Array(ROOM)
  }

  return {
    add(rank, start) {
      if (added === starts.length) {
        starts = doubled(starts)
        chain = doubled(chain)
      }
      const before = last[rank] ?? -1
      if (before === -1) push(heap, rank)
      starts[added] = start
      chain[added] = before
      last[rank] = added++
    },
    take() {
      let batch = batches.at(-1)
      const lowest = heap[0]
      if (lowest !== undefined && (batch === undefined || lowest < batch.rank)) {
        pop(heap)
        batch = open(lowest)
      }
      if (batch === undefined) {
        clear()
        return undefined
      }
      taken.rank = batch.rank
      taken.start = starts[batch.next] ?? 0
      batch.next = chain[batch.next] ?? -1
      if (batch.next === -1) batches.pop()
      return taken
    },
  }
}

interface Batch {
  readonly rank: number
  next: number
}

/** Turns a chain round, in place. */
function reversed(last: number, starts: Int32Array, chain: Int32Array) {
  let first = -1
  let isSorted = true
  for (let entry = last; entry !== -1; ) {
    const before = chain[entry] ?? -1
    chain[entry] = first
    if (first !== -1 && (starts[entry] ?? 0) > (starts[first] ?? 0)) isSorted = false
    first = entry
    entry = before
  }
  return { first, isSorted }
}

/** Puts the pairs of a chain in the order of the text, in place. */
function sort(first: number, starts: Int32Array, chain: Int32Array): void {
  const sorted: number[] = []
  for (let entry = first; entry !== -1; entry = chain[entry] ?? -1) sorted.push(starts[entry] ?? 0)
  sorted.sort((a, b) => b - a)
  for (let entry = first; entry !== -1; entry = chain[entry] ?? -1) starts[entry] = sorted.pop() ?? 0
}

function doubled(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(list.length * 2)
  more.set(list)
  return more
}

function push(heap: number[], rank: number): void {
  let at = heap.length
  heap.push(rank)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const higher = heap[parent] ?? 0
    if (higher <= rank) break
    heap[at] = higher
    at = parent
  }
  heap[at] = rank
}

function pop(heap: number[]): void {
  const rank = heap.pop()
  if (rank === undefined || heap.length === 0) return
  let at = 0
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1
    const lower = heap[child] ?? 0
    if (lower >= rank) break
    heap[at] = lower
    at = child
  }
  heap[at] = rank
}
