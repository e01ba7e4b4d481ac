import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { fates, present, slow, sorted, watched } from './stores.js'

describe('reads at the same time', () => {
  it('give what the first answer to arrive says, whichever was asked first', async () => {
    const { live, pinned, answer } = slow({ 'a.md': 'old' })
    const one = fates(pinned, 'a.md')
    await live.write('a.md', 'new')
    const two = fates(pinned, 'a.md')
    answer(1)
    expect(await two).toEqual(['new'])
    answer(0)
    expect(await one).toEqual(['new'])
    expect(await fates(pinned, 'a.md')).toEqual(['new'])
  })

  it('and lists too', async () => {
    const { live, pinned, answer } = slow({ 'm/a.md': '' })
    const one = pinned.list?.('m')
    await live.write('m/b.md', '')
    const two = pinned.list?.('m')
    answer(0)
    expect(await one).toEqual(['a.md'])
    answer(0)
    expect(await two).toEqual(['a.md'])
  })

  it('and an answer asked for before a refresh is given, but not kept', async () => {
    const { live, pinned, answer } = slow({ 'a.md': 'old', 'b.md': 'old', 'm/a.md': '' })
    const early = fates(pinned, 'a.md', 'b.md')
    const earlyNames = pinned.list?.('m')
    for (const path of ['a.md', 'b.md', 'm/b.md']) await live.write(path, 'new')
    pinned.refresh(['a.md', 'm'])
    answer(0)
    answer(0)
    expect(await early).toEqual(['old', 'old'])
    expect(await earlyNames).toEqual(['a.md'])
    const late = fates(pinned, 'a.md', 'b.md')
    const lateNames = pinned.list?.('m')
    answer(0)
    answer(0)
    expect(await late).toEqual(['new', 'old'])
    expect(await lateNames).toEqual(['a.md', 'b.md'])
  })

  it('nor does it displace the one asked for after it', async () => {
    const { live, pinned, answer } = slow({ 'a.md': 'old' })
    const early = fates(pinned, 'a.md')
    await live.write('a.md', 'new')
    pinned.refresh()
    const late = fates(pinned, 'a.md')
    answer(1)
    expect(await late).toEqual(['new'])
    answer(0)
    expect(await early).toEqual(['old'])
    expect(await fates(pinned, 'a.md')).toEqual(['new'])
  })
})

describe('laws', () => {
  const paths = ['a.md', 'b.md', 'memory/c.md', 'memory/d.md']
  const folders = ['', 'memory']
  const path = fc.constantFrom(...paths)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), path, text: fc.string({ maxLength: 2 }) }),
    fc.record({ kind: fc.constant('drop' as const), path }),
    fc.record({ kind: fc.constant('write' as const), path, text: fc.string({ maxLength: 2 }) }),
    fc.record({ kind: fc.constant('remove' as const), path }),
    fc.record({ kind: fc.constant('read' as const), paths: fc.array(path, { maxLength: 5 }) }),
    fc.record({ kind: fc.constant('list' as const), folder: fc.constantFrom(...folders) }),
    fc.record({ kind: fc.constant('refresh' as const), path: fc.constantFrom(...paths, ...folders) }),
    fc.record({ kind: fc.constant('refresh all' as const) }),
  )

  test('it is a store that is asked once for each thing between two times that it is forgotten', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { live, pinned, asked } = watched()
        const disk = new Map<string, string>()
        const seen = new Map<string, unknown>()
        const namesIn = (folder: string) => {
          const inside = [...disk.keys()].filter((key) => folder === '' || key.startsWith(`${folder}/`))
          return [
            ...new Set(inside.map((key) => key.slice(folder === '' ? 0 : folder.length + 1).split('/')[0])),
          ].sort()
        }
        const see = (key: string, value: unknown) => {
          if (!seen.has(key)) seen.set(key, value)
          return seen.get(key)
        }
        const forget = (target: string) => {
          for (const key of [...seen.keys()]) {
            const below = target === '' || key === target || key.startsWith(`${target}/`)
            const above = key.endsWith('/') && (key === '/' || `${target}/`.startsWith(key))
            if (below || above) seen.delete(key)
          }
        }
        for (const one of steps) {
          asked.length = 0
          if (one.kind === 'put') disk.set(one.path, one.text)
          if (one.kind === 'put') await live.write(one.path, one.text)
          if (one.kind === 'drop') disk.delete(one.path)
          if (one.kind === 'drop') await live.remove(one.path)
          if (one.kind === 'write') {
            disk.set(one.path, one.text)
            await pinned.write?.(one.path, one.text)
            forget(one.path)
          }
          if (one.kind === 'remove') {
            disk.delete(one.path)
            await pinned.remove?.(one.path)
            forget(one.path)
          }
          if (one.kind === 'refresh') {
            pinned.refresh([one.path])
            forget(one.path)
          }
          if (one.kind === 'refresh all') {
            pinned.refresh()
            seen.clear()
          }
          if (one.kind === 'read') {
            const open = [...new Set(one.paths)].filter((key) => !seen.has(key))
            const expected = one.paths.map((key) => see(key, disk.get(key) ?? 'missing'))
            expect(await fates(pinned, ...one.paths)).toEqual(expected)
            expect(asked).toEqual(open.length > 0 ? [open] : [])
          }
          if (one.kind === 'list') {
            const expected = see(`${one.folder}/`, namesIn(one.folder))
            expect(await sorted(pinned.list?.(one.folder))).toEqual(expected)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('whatever overlaps: nothing older than a refresh comes after it, and what is pinned is one text', async () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('change' as const) }),
      fc.record({ kind: fc.constant('ask' as const) }),
      fc.record({ kind: fc.constant('answer' as const), which: fc.nat(5) }),
      fc.record({ kind: fc.constant('refresh' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
        const { live, pinned, answer, waiting } = slow({ 'a.md': '0' })
        let now = 0
        let refreshed = { at: 0, round: 0 }
        const answers = new Map<number, Set<string>>()
        const reads: Promise<void>[] = []
        const ask = async () => {
          const { at, round } = refreshed
          const { text } = await present(pinned, 'a.md')
          expect(Number(text)).toBeGreaterThanOrEqual(at)
          // Read and settled within one round: all of those must agree.
          if (round === refreshed.round) answers.set(round, (answers.get(round) ?? new Set()).add(text))
        }
        for (const one of acts) {
          if (one.kind === 'change') await live.write('a.md', `${++now}`)
          if (one.kind === 'ask') reads.push(ask())
          if (one.kind === 'answer') answer(one.which % Math.max(1, waiting()))
          if (one.kind === 'refresh') {
            pinned.refresh(['a.md'])
            refreshed = { at: now, round: refreshed.round + 1 }
          }
          // Lets what was answered arrive: answers come in some ticks, not at once.
          await new Promise((resolve) => setImmediate(resolve))
        }
        while (waiting() > 0) answer(0)
        await Promise.all(reads)
        for (const texts of answers.values()) expect(texts.size).toBe(1)
      }),
      { numRuns: 200 },
    )
  })
})
