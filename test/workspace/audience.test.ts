import { describe, expect, it } from 'vitest'
import type { SessionKind } from '../../src/ports/index.js'
import {
  audienceRow,
  defaultAudience,
  mayRead,
  mayShow,
  mayWrite,
  mergeAudience,
} from '../../src/workspace/audience.js'

const files = [
  'AGENTS.md',
  'SOUL.md',
  'IDENTITY.md',
  'TOOLS.md',
  'USER.md',
  'MEMORY.md',
  'memory/2026-02-16.md',
  'OWN.md',
]
const tasks = ['BOOTSTRAP.md', 'HEARTBEAT.md', 'BOOT.md']
const outside = ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'TOOLS.md']

function seen(kind: SessionKind, memory: boolean) {
  const session = { id: 's', kind, memory }
  const row = audienceRow(defaultAudience, session)
  const shown = [...files, ...tasks].filter((path) => mayShow(row, session, { path }))
  return {
    shown,
    read: shown.filter((path) => mayRead(row, path)),
    write: [...files, ...tasks].filter((path) => mayWrite(row, path)),
    injectors: row.injectors,
  }
}

describe('the audience table', () => {
  const memory = ['USER.md', 'MEMORY.md', 'memory/2026-02-16.md']
  it.each([
    ['main', true, [...files, 'BOOTSTRAP.md'], [...files, 'BOOTSTRAP.md'], memory, 'all'],
    ['main', false, outside, ['SOUL.md'], [], 'public'],
    ['group', true, [...outside, 'USER.md'], [...outside, 'USER.md'], [], 'public'],
    ['group', false, outside, outside, [], 'public'],
    ['subagent', true, ['AGENTS.md', 'TOOLS.md'], ['AGENTS.md', 'TOOLS.md'], [], 'none'],
    ['subagent', false, ['AGENTS.md', 'TOOLS.md'], ['AGENTS.md', 'TOOLS.md'], [], 'none'],
    ['cron', true, [...outside, 'USER.md'], [...outside, 'USER.md'], [], 'public'],
    ['cron', false, outside, outside, [], 'public'],
    ['heartbeat', true, [...files, 'HEARTBEAT.md'], [...files, 'HEARTBEAT.md'], [], 'all'],
    ['heartbeat', false, [...outside, 'HEARTBEAT.md'], [...outside, 'HEARTBEAT.md'], [], 'public'],
    ['boot', true, [...files, 'BOOT.md'], [...files, 'BOOT.md'], memory, 'all'],
    ['boot', false, [...outside, 'BOOT.md'], ['SOUL.md'], [], 'public'],
  ] as const)('%s with memory %s', (kind, on, shown, read, write, injectors) => {
    const row = seen(kind, on)
    expect(row.shown.sort()).toEqual([...shown].sort())
    expect(row.read.sort()).toEqual([...read].sort())
    expect(row.write.sort()).toEqual([...write].sort())
    expect(row.injectors).toBe(injectors)
  })

  it('takes a host’s changes field by field', () => {
    const table = mergeAudience({ group: { on: { shown: ['AGENTS.md', 'MEMORY.md'] } } })
    expect(table.group.on).toEqual({ ...defaultAudience.group.on, shown: ['AGENTS.md', 'MEMORY.md'] })
    expect(table.group.off).toEqual(defaultAudience.group.off)
    expect(table.main).toEqual(defaultAudience.main)
  })

  it('lets a file say for itself who sees it', () => {
    const spec = { path: 'STYLE.md', audience: { kinds: ['main', 'group'], private: false } } as const
    const shows = (kind: SessionKind, memory: boolean) =>
      mayShow(audienceRow(defaultAudience, { id: 's', kind, memory }), { id: 's', kind, memory }, spec)
    expect(shows('main', false)).toBe(true)
    expect(shows('group', true)).toBe(true)
    expect(shows('cron', true)).toBe(false)
  })
})
