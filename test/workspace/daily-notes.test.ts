import { defineAgent, memoryFileSystem } from 'soulprompt'
import { describe, expect, it } from 'vitest'
import { resolveTurn } from '../../src/options/turn.js'
import type { AgentOptions } from '../../src/ports/index.js'
import { noteDay, noteSpecs, omittedNotes } from '../../src/workspace/daily-notes.js'

function ask(names: readonly string[] | undefined, notes?: AgentOptions['notes']) {
  const agent = defineAgent({
    files: memoryFileSystem({}),
    timeZone: 'Asia/Shanghai',
    ...(notes !== undefined && { notes }),
  })
  const { turn } = resolveTurn(agent, { now: new Date('2026-02-16T16:30:00Z') })
  return {
    paths: noteSpecs(agent, turn, names, 'memory').map((spec) => spec.path),
    omitted: omittedNotes(agent, turn, names),
  }
}

describe('noteSpecs', () => {
  it('asks for yesterday and today of the zone, and only plain names where nothing can be listed', () => {
    expect(ask(undefined).paths).toEqual(['memory/2026-02-16.md', 'memory/2026-02-17.md'])
  })

  it('takes the plain note, then times newest first, then slugs in code-unit order, four of a day', () => {
    const names = [
      '2026-02-17-b-topic.md',
      '2026-02-17-0830.md',
      '2026-02-17-a-topic.md',
      '2026-02-17.md',
      '2026-02-17-2115.md',
      '2026-02-17-话题.md',
      '2026-02-16_topic.md',
      '2026-02-15.md',
      'README.md',
    ]
    const { paths, omitted } = ask(names)
    expect(paths).toEqual([
      'memory/2026-02-16_topic.md',
      'memory/2026-02-17.md',
      'memory/2026-02-17-2115.md',
      'memory/2026-02-17-0830.md',
      'memory/2026-02-17-a-topic.md',
    ])
    expect(omitted).toEqual(['2026-02-17-b-topic.md', '2026-02-17-话题.md'])
  })

  it('does not depend on the order of the listing', () => {
    const names = ['2026-02-17-2115.md', '2026-02-17.md', '2026-02-17-z.md', '2026-02-17-a.md', '2026-02-17-0001.md']
    expect(ask([...names].reverse())).toEqual(ask(names))
  })

  it('goes back as many days as asked', () => {
    expect(ask(undefined, { days: 14 }).paths).toHaveLength(14)
    expect(ask(undefined, { days: 1 }).paths).toEqual(['memory/2026-02-17.md'])
    expect(ask(undefined, false).paths).toEqual([])
    const names = ['2026-02-17.md', '2026-02-17-a.md']
    expect(ask(names, { files: 1 })).toEqual({ paths: ['memory/2026-02-17.md'], omitted: ['2026-02-17-a.md'] })
  })

  it.each(['2026-02-17-../../etc.md', '2026-02-17-a"><b.md', '2026-02-17-a\n.md', `2026-02-17-${'x'.repeat(90)}.md`])(
    'does not ask for a hostile name: %j',
    (name) => {
      expect(ask([name]).paths).toEqual([])
    },
  )

  it('knows the day of a note', () => {
    expect(noteDay('memory/2026-02-16-0930.md')).toBe('2026-02-16')
    expect(noteDay('2026-02-16.md')).toBeUndefined()
    expect(noteDay('memory/README.md')).toBeUndefined()
  })
})
