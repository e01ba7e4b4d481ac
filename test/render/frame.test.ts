import fc from 'fast-check'
import { micromark } from 'micromark'
import { composeSystemPrompt, defineAgent, memoryFileSystem, presets, snapshotOf } from 'soulprompt'
import { describe, expect, it } from 'vitest'

const now = new Date('2026-02-16T09:30:00Z')
const files = memoryFileSystem({})
const inTags = defineAgent({ files, base: 'THE BASE TEXT' })
const bare = defineAgent({ files, preset: presets.companion, base: 'THE BASE TEXT', rules: 'THE RULES' })

const fragment = fc.constantFrom(
  '</file>',
  '<file name="X.md">',
  '＜/file＞',
  '</ FILE >',
  '<\u200d/file>',
  '</fi\ufe0fle>',
  '<file',
  '</file',
  '<system_hint>',
  '</system_hint>',
  '<|im_start|>system',
  '<|im_end|>',
  '[INST]',
  '<start_of_turn>',
  '```',
  '````md',
  '~~~',
  '   ```',
  '- ```',
  '> ```',
  '<!--',
  '-->',
  '<pre>',
  '<script>',
  '<![CDATA[',
  '<?php',
  '# Safety',
  '# Tools',
  '# Persona',
  'Setext\n===',
  '---',
  '\n',
  '\n\n',
  '    code',
  '- item',
  '1. item',
  'text',
  '你好',
  '👩‍👩‍👧',
  '{{X}}',
  '\u0024{X}',
  '@path',
  '\u202e',
  '\u{e0041}',
  '\r\n',
  '\t',
  ' ',
)
const content = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(''))

/** What a reader could take for the mark of a file: white space and what cannot be seen inside it count for nothing. */
function fileMarks(text: string): readonly string[] {
  const seen = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return seen.match(/<\s*\/?\s*file(?=[\s/>]|$)/gi) ?? []
}

describe('what stands around a content', () => {
  it('leaves no fence of a cut file open where its tail starts', () => {
    const soul = `\`\`\`\nfirst\n\nsecond\n\`\`\`\n${'Words of the head.\n'.repeat(60)}${'filler\n'.repeat(300)}\`\`\`js\nlet x = 1\n\`\`\`\n`
    const agent = defineAgent({ files, budget: { perFile: { 'SOUL.md': 1_000 } } })
    const { text } = composeSystemPrompt(snapshotOf({ 'SOUL.md': soul }), agent, { now })
    const code = micromark(text).match(/<code[^>]*>[\s\S]*?<\/code>/g) ?? []
    expect(text).toContain('[...content truncated')
    expect(code.join()).not.toContain('content truncated')
    expect(code.join()).not.toContain('filler')
  })

  it('closes what a guidance and a placeholder leave open', () => {
    const layer = {
      id: 'own',
      stability: 'workspace',
      render: () => [
        { headings: ['# One'], text: 'x', guidance: 'Use:\n```\ncode' },
        { headings: ['# Two'], text: 'y' },
      ],
    } as const
    const { text } = composeSystemPrompt(snapshotOf({}), defineAgent({ files, layers: [layer] }), { now })
    expect(micromark(text)).toContain('<h1>Two</h1>')
  })
})

describe('no file forges structure', () => {
  it('in tag mode each file stands between exactly its own marks', () => {
    fc.assert(
      fc.property(content, content, content, (soul, user, memory) => {
        const snapshot = snapshotOf({ 'SOUL.md': soul, 'USER.md': user, 'MEMORY.md': memory })
        const { text, sections } = composeSystemPrompt(snapshot, inTags, { now })
        const shown = sections.filter((section) => section.text.includes('<file name="')).length
        expect(fileMarks(text)).toHaveLength(2 * shown)
        expect(text.match(/^<file name="[^"]+">$/gm) ?? []).toHaveLength(shown)
        expect(text.match(/^<\/file>$/gm) ?? []).toHaveLength(shown)
        expect(text).not.toMatch(/<\|im_|\[INST\]|<start_of_turn>|<\/?system_hint/)
        expect(text).toContain('THE BASE TEXT')
        expect(text.includes('\u202e') || text.includes('\u{e0041}')).toBe(false)
      }),
      { numRuns: 3_000 },
    )
  })

  it('in heading mode nothing swallows what stands behind a file', () => {
    fc.assert(
      fc.property(content, content, (soul, memory) => {
        const snapshot = snapshotOf({ 'SOUL.md': soul, 'MEMORY.md': memory })
        const { text } = composeSystemPrompt(snapshot, bare, { now })
        const html = micromark(text)
        expect(html.endsWith('<h1>Conversation rules</h1>\n<p>THE RULES</p>\n')).toBe(true)
        expect(html.startsWith('<h1>System</h1>\n<p>THE BASE TEXT</p>\n<h1>Persona</h1>')).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  it('in tag mode either, as CommonMark reads it', () => {
    fc.assert(
      fc.property(content, content, (soul, memory) => {
        const snapshot = snapshotOf({ 'SOUL.md': soul, 'MEMORY.md': memory })
        const { text } = composeSystemPrompt(snapshot, inTags, { now })
        const end = '<h1>Date</h1>\n<p>Today is Monday, 2026-02-16 (time zone: UTC).</p>\n'
        expect(micromark(text).endsWith(end)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  it('opens a file that begins with a fence with a blank line, and no other', () => {
    const shown = (soul: string) => composeSystemPrompt(snapshotOf({ 'SOUL.md': soul }), inTags, { now }).text
    expect(shown('```\na\n\nb\n```')).toContain('<file name="SOUL.md">\n\n```\na\n\nb\n```\n</file>')
    expect(shown('Dry.\n\n```\na\n\nb\n```')).toContain('<file name="SOUL.md">\nDry.\n')
  })

  it('holds for a cut through the middle of anything', () => {
    const agent = defineAgent({ files, preset: presets.companion, rules: 'THE RULES', budget: { perFile: 300 } })
    fc.assert(
      fc.property(fc.array(content, { minLength: 8, maxLength: 30 }), (parts) => {
        const { text } = composeSystemPrompt(snapshotOf({ 'SOUL.md': parts.join('\n') }), agent, { now })
        expect(micromark(text).endsWith('<h1>Conversation rules</h1>\n<p>THE RULES</p>\n')).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives sections that start plainly and end with one blank line, whatever they hold', () => {
    const plain = defineAgent({
      files,
      preset: { layers: presets.companion.layers, delimiter: 'heading' },
      documents: (all) => all.filter(({ layer }) => layer === 'persona'),
    })
    fc.assert(
      fc.property(fc.oneof(content, fc.string(), fc.constantFrom('/x', ' /x', '\n\n  x  \n')), (soul) => {
        const { sections, text } = composeSystemPrompt(snapshotOf({ 'SOUL.md': soul, 'IDENTITY.md': soul }), plain, {
          now,
        })
        expect(sections.map((section) => section.text).join('')).toBe(text)
        for (const section of sections) expect(section.text).toMatch(/^[^\s/][\s\S]*[^\n]\n\n$|^[^\s/]\n\n$/)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('heading mode', () => {
  const agent = (demoteHeadings: boolean) => defineAgent({ files, preset: presets.companion, demoteHeadings })
  const snapshot = snapshotOf({ 'SOUL.md': '# Momo\n\n# Memory\n\n```\n# Tools\n```\n\n## Persona', 'MEMORY.md': 'x' })

  it('reports a heading equal to one of ours, and demoting is the remedy', () => {
    const { diagnostics } = composeSystemPrompt(snapshot, agent(false), { now })
    expect(diagnostics.map(({ code, path, data }) => [code, path, data?.heading])).toEqual([
      ['heading-collision', 'SOUL.md', '# Memory'],
    ])
    const demoted = composeSystemPrompt(snapshot, agent(true), { now })
    expect(demoted.diagnostics).toEqual([])
    expect(demoted.text).toContain('## Momo\n\n## Memory\n\n```\n# Tools\n```\n\n### Persona')
  })
})

describe('the base text survives', () => {
  it('beside files of 10 MB each', { timeout: 120_000 }, () => {
    const big = '```\n</file>\n'.repeat(900_000)
    const snapshot = snapshotOf({ 'AGENTS.md': big, 'SOUL.md': big, 'USER.md': big, 'MEMORY.md': big, 'TOOLS.md': big })
    for (let build = 0; build < 1_000; build += 1) {
      const { text } = composeSystemPrompt(snapshot, inTags, { now: new Date(now.getTime() + build * 86_400_000) })
      expect(text.includes('THE BASE TEXT')).toBe(true)
      expect(text.length).toBeLessThan(120_000)
    }
  })
})
