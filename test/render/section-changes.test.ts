import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sectionChanges } from '../../src/render/section-changes.js'

interface Seen {
  readonly id: string
  readonly chars: number
  readonly fingerprint: string
}

const section = (id: string, text = id): Seen => ({ id, chars: text.length, fingerprint: text })
const sections = (ids: string) => [...ids].map((id) => section(id))

describe('sectionChanges', () => {
  it('says nothing of what is the same', () => {
    expect(sectionChanges(sections('abc'), sections('abc'))).toEqual([])
    expect(sectionChanges([], [])).toEqual([])
  })

  it('tells added, removed and changed sections apart', () => {
    const before = [section('safety'), section('persona/SOUL.md', 'old'), section('user/USER.md')]
    const after = [section('safety'), section('persona/SOUL.md', 'newer'), section('memory/MEMORY.md')]
    expect(sectionChanges(before, after)).toEqual([
      { kind: 'changed', id: 'persona/SOUL.md', before: 3, chars: 5, moved: false },
      { kind: 'added', id: 'memory/MEMORY.md', chars: 16 },
      { kind: 'removed', id: 'user/USER.md', chars: 12 },
    ])
  })

  it('sees another text of the same size', () => {
    const [change] = sectionChanges([section('a', 'one')], [section('a', 'two')])
    expect(change).toEqual({ kind: 'changed', id: 'a', before: 3, chars: 3, moved: false })
  })

  it.each([
    ['abcd', 'bcda', ['a']],
    ['abcd', 'dabc', ['d']],
    ['abc', 'acb', 1],
    ['abcde', 'xabcde', []],
    ['abcde', 'ace', []],
    ['abcde', 'edcba', 4],
  ])('%s → %s: as few as possible have moved', (before, after, expected) => {
    const moved = sectionChanges(sections(before), sections(after)).filter(({ kind }) => kind === 'moved')
    if (typeof expected === 'number') expect(moved).toHaveLength(expected)
    else expect(moved.map(({ id }) => id)).toEqual(expected)
  })

  it('gives one change to a section that changed and moved', () => {
    const changes = sectionChanges(sections('abc'), [section('b'), section('c'), section('a', 'other')])
    expect(changes).toEqual([{ kind: 'changed', id: 'a', before: 1, chars: 5, moved: true }])
  })

  it('compares sections of one id in their order', () => {
    const changes = sectionChanges([section('a', '1'), section('a', '2')], [section('a', '1'), section('a', '3+')])
    expect(changes).toEqual([{ kind: 'changed', id: 'a', before: 1, chars: 2, moved: false }])
  })

  const prompt = fc.array(
    fc
      .record({ id: fc.constantFrom(...'abcdef'), fingerprint: fc.constantFrom('1', '2') })
      .map(({ id, fingerprint }): Seen => ({ id, chars: 1, fingerprint })),
    { maxLength: 8 },
  )

  it('law: no change if and only if the prompts are equal', () => {
    fc.assert(
      fc.property(prompt, prompt, (before, after) => {
        const equal = JSON.stringify(before) === JSON.stringify(after)
        expect(sectionChanges(before, after).length === 0).toBe(equal)
        expect(sectionChanges(after, after)).toEqual([])
      }),
    )
  })

  it('law: what was there, less what was removed, plus what was added, is what is there', () => {
    fc.assert(
      fc.property(prompt, prompt, (before, after) => {
        const changes = sectionChanges(before, after)
        const ids = (kind: string) => changes.flatMap((change) => (change.kind === kind ? [change.id] : []))
        const sorted = (list: readonly string[]) => [...list].sort()
        const left = before.map(({ id }) => id)
        for (const id of ids('removed')) left.splice(left.indexOf(id), 1)
        expect(sorted([...left, ...ids('added')])).toEqual(sorted(after.map(({ id }) => id)))
      }),
    )
  })
})
