import { buildSystemPrompt, defineAgent, memoryFileSystem, presets } from 'soulprompt'
import { describe, expect, it } from 'vitest'

const now = new Date('2026-02-16T09:30:00Z')

async function noteOf(text: string, preset = presets.default as (typeof presets)[keyof typeof presets]) {
  const files = memoryFileSystem({ 'SOUL.md': 'Dry.', 'memory/2026-02-16.md': text })
  const prompt = await buildSystemPrompt(defineAgent({ files, preset }), { now })
  return {
    shown: prompt.text.includes('THE NOTE'),
    state: prompt.sources.find(({ path }) => path.startsWith('memory/'))?.state,
    diagnostics: prompt.diagnostics.map(({ code, severity }) => `${severity} ${code}`),
  }
}

describe('metadata on the first line of a note', () => {
  it.each([
    'THE NOTE',
    '# Monday\nTHE NOTE',
    '<!-- scope: main; principal: ines; visibility: private -->\nTHE NOTE',
    '[scope: main] [visibility: public] THE NOTE',
    'scope=main, visibility=private\nTHE NOTE',
    '---\nscope: main\n---\nTHE NOTE',
    '<!-- principal: bob -->\nTHE NOTE',
    '<!-- a comment on telescopes: none -->\nTHE NOTE',
    'The scope: a big one, and visibility: poor. THE NOTE',
    '# Monday\n<!-- scope: group -->\nTHE NOTE',
    '- [ ] look at the clock\nTHE NOTE',
  ])('shows %j', async (text) => {
    expect(await noteOf(text)).toEqual({ shown: true, state: 'included', diagnostics: [] })
  })

  it.each([
    '<!-- scope: group principal: bob visibility: private -->\nTHE NOTE',
    '<!-- {"scope":"group","visibility":"private"} -->\nTHE NOTE',
    '<!-- visibility: secret -->\nTHE NOTE',
    '<!-- scope: -->\nTHE NOTE',
    '<!-- SCOPE = Team\nTHE NOTE',
    '\n\n[scope: group] THE NOTE',
    '- [scope:main][visibility:hidden] THE NOTE',
    'scope: cron; visibility: private\nTHE NOTE',
    '{ "scope": "group" }\nTHE NOTE',
    '---\nscope: group\n---\nTHE NOTE',
    '---\nvisibility: [private]\nScope: 5\n---\nTHE NOTE',
  ])('leaves out %j', async (text) => {
    const expected = { shown: false, state: 'filtered', diagnostics: ['info notes-omitted'] }
    expect(await noteOf(text)).toEqual(expected)
    expect(await noteOf(text, presets.workspace)).toEqual(expected)
  })

  it('says nothing of other files', async () => {
    const files = memoryFileSystem({ 'SOUL.md': '<!-- scope: group -->\nTHE SOUL' })
    expect((await buildSystemPrompt(defineAgent({ files }), { now })).text).toContain('THE SOUL')
  })
})
