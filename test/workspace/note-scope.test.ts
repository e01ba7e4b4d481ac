import fc from 'fast-check'
import { buildSystemPrompt, defineAgent, memoryFileSystem, presets } from 'soulprompt'
import { describe, expect, it } from 'vitest'
import { visibleEntries } from '../../src/workspace/note-entries.js'

const now = new Date('2026-02-16T09:30:00Z')

async function noteOf(text: string, preset = presets.default as (typeof presets)[keyof typeof presets]) {
  const files = memoryFileSystem({ 'SOUL.md': 'Dry.', 'memory/2026-02-16.md': text })
  const prompt = await buildSystemPrompt(defineAgent({ files, preset }), { now })
  return {
    text: prompt.text,
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
    '# Monday\n<!-- scope: main -->\nTHE NOTE',
    '- [ ] look at the clock\nTHE NOTE',
    'See [the scope: a map] and {x}. THE NOTE',
  ])('shows %j', async (text) => {
    expect(await noteOf(text)).toMatchObject({ shown: true, state: 'included', diagnostics: [] })
  })

  it.each([
    '<!-- scope: group principal: bob visibility: private -->\nTHE NOTE',
    '<!-- {"scope":"group","visibility":"private"} -->\nTHE NOTE',
    '<!-- visibility: secret -->\nTHE NOTE',
    '<!-- scope: -->\nTHE NOTE',
    '<!-- SCOPE = Team\nTHE NOTE',
    '\n\n[scope: group] THE NOTE',
    '- [scope:main][visibility:hidden] THE NOTE',
    '# Monday\n<!-- scope: group -->\nTHE NOTE',
    '09:30 {visibility: hidden} THE NOTE',
    '# Monday [scope: group]\n\n## 09:30 <!-- scope: main -->\n\nTHE NOTE',
    'Words first. <!-- scope: group -->\n\nTHE NOTE',
    '> [scope: team]\n\nTHE NOTE',
    'scope: cron; visibility: private\nTHE NOTE',
    '{ "scope": "group" }\nTHE NOTE',
    '---\nscope: group\n---\nTHE NOTE',
    '---\nvisibility: [private]\nScope: 5\n---\nTHE NOTE',
  ])('leaves out %j', async (text) => {
    const expected = { shown: false, state: 'filtered', diagnostics: ['info notes-omitted'] }
    expect(await noteOf(text)).toMatchObject(expected)
    expect(await noteOf(text, presets.workspace)).toMatchObject(expected)
  })

  it('says nothing of other files', async () => {
    const files = memoryFileSystem({ 'SOUL.md': '<!-- scope: group -->\nTHE SOUL' })
    expect((await buildSystemPrompt(defineAgent({ files }), { now })).text).toContain('THE SOUL')
  })
})

describe('metadata on the first line of an entry', () => {
  const cases: Readonly<Record<string, readonly [note: string, shown: string, count: number]>> = {
    'a heading with all that stands below it': [
      '## 09:30 <!-- scope: group -->\n\nHidden.\n\n### Details\n\nHidden too.\n\n## 10:00\n\nShown.',
      '## 10:00\n\nShown.',
      1,
    ],
    'a heading, by the line below it': [
      'First.\n\n## 09:30\n\n[scope: group] Hidden.\n\nHidden.\n\n## 10:00\nShown.',
      'First.\n\n## 10:00\nShown.',
      1,
    ],
    'an item of a list with its lines': [
      '- one\n- [scope: group] two\n  and more\ngoes on\n\n  a paragraph of it\n- three\n\nAfter.',
      '- one\n- three\n\nAfter.',
      1,
    ],
    'an item, by a comment at its end': ['1. one\n2. two <!-- visibility: secret -->\n3. three', '1. one\n3. three', 1],
    'an item with its time in front': ['- 09:30 one\n- 09:40 [scope: group] two', '- 09:30 one', 1],
    'a stretch from one line of metadata to the next': [
      'First.\n\nscope: group\n\nHidden.\n\n- hidden\n\nscope: main; visibility: private\n\nShown.',
      'First.\n\nscope: main; visibility: private\n\nShown.',
      1,
    ],
    'a stretch up to a heading that is not below it': [
      '# Day\n\nShown.\n\n[visibility: hidden] Hidden.\n\n## Hidden\n\nHidden.\n\n# Evening\n\nShown.',
      '# Day\n\nShown.\n\n# Evening\n\nShown.',
      1,
    ],
    'what stands in code, for it may be none': [
      '# Day\n\n```\n## a heading <!-- scope: group -->\n```\n\n# Evening\n\nShown.',
      '# Day\n\n```\n# Evening\n\nShown.',
      1,
    ],
    'an item with the code behind it, which may be its own': [
      '- one\n- [scope: group] two\n\n```\n- not an item\n```\n\nAfter.',
      '- one\nAfter.',
      1,
    ],
    'nothing for a good scope': [
      '- [scope: main] one\n- [visibility: public] two',
      '- [scope: main] one\n- [visibility: public] two',
      0,
    ],
    'nothing for prose': [
      'The scope: a big one.\n\nIts visibility: poor, see [the map].',
      'The scope: a big one.\n\nIts visibility: poor, see [the map].',
      0,
    ],
  }

  it.each(Object.entries(cases))('leaves out %s', (_what, [note, shown, count]) => {
    const { text, withheld } = visibleEntries(note)
    expect(text.trim()).toBe(shown)
    expect(withheld).toHaveLength(count)
  })

  it.each([
    '## 9\n```npm test``` passed\n\n## 10 <!-- scope: group -->\nSECRET',
    '```\n```js\n```\n\n## 10 <!-- scope: group -->\nSECRET',
    '```\n      ```\n```\n\n## 10 <!-- scope: group -->\nSECRET',
    '- a\n  ```\n  code\n- [scope: group] SECRET',
    '- a\n  ```\n  code\n## 10 <!-- scope: group -->\nSECRET',
    '## 9\n```\ncode\n\n## 10 <!-- scope: group -->\nSECRET',
    '## 9 <!-- scope: group -->\n```\n# a comment\n```\nSECRET',
    '## 9 <!-- scope: group -->\n- a\n  ```sh\n  # a comment\n  ```\nSECRET',
    'main\n\n---\nscope: group\nSECRET',
    'main\n\n---\n[scope: group] SECRET',
    'main\n\n```\nx\n```\n[scope: group] SECRET',
    'main\n\n09:30\n=====\n<!-- scope: group -->\nSECRET',
    '- 09:30 standup\n  - [scope: group] SECRET',
    '  - [scope: group] SECRET',
    '- a\n    - [scope: group] SECRET\n      SECRET',
    '---\nscope: group\nfoo: [bar\n---\nSECRET',
    '\n---\nscope: group\n---\nSECRET',
    'main\n\n<!-- scope：group -->\nSECRET',
    '## 9\n<!--\nscope: group\n-->\nSECRET',
    '**scope:** group\n\nSECRET',
    'main\n\n> scope: group\n> SECRET',
    '- 09:30 (scope: group) SECRET',
    '- 9\n  <!-- scope: group -->\n  SECRET',
    'main\n\n<!-- scope: group -->\n\n## 10:00\nSECRET',
    `## ${'long '.repeat(200)}[scope: group]\nSECRET`,
    '2026-02-16T09:30 — [visibility: hidden] SECRET',
  ])('leaves out %j, whatever stands around it', async (text) => {
    expect(visibleEntries(text).text.includes('SECRET') && (await noteOf(text)).text.includes('SECRET')).toBe(false)
  })

  it.each([
    '## Scope: parser\n\nTHE NOTE',
    '- Scope: MVP\n- THE NOTE',
    '## 9\n\nChanged {scope: admin} in the config. THE NOTE',
    '## 9 <!-- scope: group -->\nhidden\n\n## 10\n\nTHE NOTE',
  ])('shows THE NOTE in %j', async (text) => {
    expect((await noteOf(text)).shown).toBe(true)
  })

  it('leaves out what a long note may say in its middle', async () => {
    const marked = '## 10 <!-- scope: group -->\n'
    const middle = `# day\n${'main line\n'.repeat(30_000)}${marked}${'SECRET line\n'.repeat(80_000)}`
    expect((await noteOf(middle)).text).not.toContain('SECRET')
    const early = `# day\n\n## 9 [scope: group]\n${'SECRET\n### sub\n```\n# code\n```\n'.repeat(60_000)}`
    expect((await noteOf(early)).text).not.toContain('SECRET')
    const plain = `${'a line\n'.repeat(200_000)}THE NOTE`
    expect((await noteOf(plain)).shown).toBe(true)
    const entries = `# day\n${'a line\n'.repeat(200_000)}## 10\nTHE NOTE`
    expect((await noteOf(entries)).shown).toBe(true)
  })

  it('says how many are left out, and counts what is shown', async () => {
    const text = '- one\n- [scope: group] SECRET\n- <!-- visibility: x --> SECRET\n- three'
    const files = memoryFileSystem({ 'SOUL.md': 'Dry.', 'memory/2026-02-16.md': text })
    for (const preset of [presets.default, presets.workspace]) {
      const prompt = await buildSystemPrompt(defineAgent({ files, preset }), { now })
      expect(prompt.text).toContain('- one\n- three')
      expect(prompt.text).not.toContain('SECRET')
      expect(prompt.sources.find(({ path }) => path.startsWith('memory/'))).toMatchObject({
        state: 'included',
        rawChars: text.length,
        keptChars: '- one\n- three'.length,
      })
      expect(prompt.diagnostics.map(({ message }) => message)).toEqual([
        'memory/2026-02-16.md is shown without 2 entries: by own word (scope: group, visibility: x) not for the main session.',
      ])
    }
  })

  it('cuts what is left from its newest end, and hides what the gap of a long note may hide', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `- entry ${index}, twenty units long`)
    const note = ['- [scope: group] SECRET', ...lines, '# Evening', 'Shown.'].join('\n')
    const files = memoryFileSystem({ 'memory/2026-02-16.md': note })
    const { text } = await buildSystemPrompt(defineAgent({ files }), { now })
    expect(text).toContain('# Evening\nShown.')
    expect(text).not.toContain('SECRET')
    expect(text).not.toContain('entry 59999')
  })

  it('never shows an entry that is for others, wherever it stands', () => {
    const mark = fc.constantFrom('<!-- scope: group -->', '[scope: group]', '[visibility: x]', '{scope: group}')
    const entry = fc.oneof(
      mark.map((metadata) => `## Title ${metadata}\n\nSECRET`),
      mark.map((metadata) => `## Title\n${metadata} \n\nSECRET`),
      mark.map((metadata) => `- ${metadata} SECRET\n  SECRET`),
      fc.constantFrom('plain', '- item', '## Heading', '```\ncode\n```', '', '> quote', '* * *'),
    )
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        expect(visibleEntries(entries.join('\n\n')).text).not.toContain('SECRET')
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes linear time', () => {
    for (const line of ['- [scope: group', '## [', '<!-- scope: ', '[a] '.repeat(100), '- x <!-- ']) {
      expect(visibleEntries(`${line}\n`.repeat(100_000 / line.length)).text.length).toBeGreaterThanOrEqual(0)
    }
  })
})
