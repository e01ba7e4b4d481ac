import fs from 'node:fs'
import { buildSystemPrompt, defineAgent, overlayFileSystem, pinFiles } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../../src/ports/file-system.js'
import { temporaryWorkspace } from '../adapters/node/workspace.js'

describe('over folders', () => {
  const now = new Date('2026-02-16T18:00:00Z')

  it('a prompt stays as it is while files are edited, deleted and added, until refresh', async () => {
    const { put, inRoot, root } = temporaryWorkspace({
      'SOUL.md': 'Dry.',
      'USER.md': 'Ines.',
      'memory/2026-02-16-one.md': 'Wound the clock.',
    })
    const pinned = pinFiles(nodeFileSystem(root))
    const agent = defineAgent({ files: pinned })
    const before = await buildSystemPrompt(agent, { now })
    for (const text of ['Dry.', 'Ines.', 'Wound the clock.']) expect(before.text).toContain(text)

    put('SOUL.md', 'Wry.')
    put('MEMORY.md', 'New.')
    put('memory/2026-02-16-two.md', 'Set the clock.')
    fs.rmSync(inRoot('USER.md'))
    expect(await buildSystemPrompt(agent, { now })).toBe(before)

    pinned.refresh(['SOUL.md', 'memory'])
    const { text } = await buildSystemPrompt(agent, { now })
    for (const shown of ['Wry.', 'Ines.', 'Set the clock.']) expect(text).toContain(shown)
    expect(text).not.toContain('New.')
    pinned.refresh()
    const after = await buildSystemPrompt(agent, { now })
    expect(after.text).toContain('New.')
    expect(after.sources.find(({ path }) => path === 'USER.md')?.state).toBe('missing')
  })

  it('over an overlay the own file does not take over until refresh, and versions name the root', async () => {
    const [own, shared] = [temporaryWorkspace(), temporaryWorkspace({ 'SOUL.md': 'Shared.' })]
    const pinned = pinFiles(overlayFileSystem([nodeFileSystem(own.root), nodeFileSystem(shared.root)]))
    const agent = defineAgent({ files: pinned })
    const soul = async () => {
      const { sources } = await buildSystemPrompt(agent, { now })
      return sources.find(({ path }) => path === 'SOUL.md')?.version?.slice(0, 2)
    }
    expect(await soul()).toBe('1:')
    own.put('SOUL.md', 'Own.')
    expect(await soul()).toBe('1:')
    pinned.refresh(['SOUL.md'])
    expect(await soul()).toBe('0:')
  })

  it('a workspace that cannot be read for a while is not frozen away', async () => {
    const { root } = temporaryWorkspace({ 'SOUL.md': 'Dry.' })
    const live = nodeFileSystem(root)
    let failing = true
    const read: FileSystem['read'] = (paths, options) =>
      failing ? Promise.reject(new Error('down')) : live.read(paths, options)
    const agent = defineAgent({ files: pinFiles({ ...live, read }) })
    const { diagnostics, text } = await buildSystemPrompt(agent, { now })
    expect(diagnostics.map(({ code }) => code)).toContain('files-failed')
    expect(text).not.toContain('Dry.')
    failing = false
    expect((await buildSystemPrompt(agent, { now })).text).toContain('Dry.')
  })
})
