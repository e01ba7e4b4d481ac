import {
  type AgentOptions,
  composeSystemPrompt,
  defineAgent,
  loadWorkspace,
  memoryFileSystem,
  presets,
  type Turn,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'

const now = new Date('2026-02-16T09:30:00Z')
const rich =
  'Her name is Ines. She repairs clocks in a small town by the sea, and likes short answers with one idea in each.'
const template = '# USER.md\n\n- **Name:**\n- **Time zone:** _(optional)_\n- **Notes:**\n'

async function sectionsOf(texts: Record<string, string>, turn: Turn = {}, options: Partial<AgentOptions> = {}) {
  const agent = defineAgent({ files: memoryFileSystem(texts), preset: presets.companion, locale: 'zh-CN', ...options })
  const prompt = composeSystemPrompt(await loadWorkspace(agent, { now, ...turn }), agent, { now, ...turn })
  return Object.fromEntries(prompt.sections.map(({ id, text }) => [id, text]))
}

const tools = [{ name: 'edit' }, { name: 'read' }]

describe('SOUL.md', () => {
  const present = '# 人格\n\n冷幽默。\n\n请根据上述人格定义来塑造你的性格和语气。\n\n'
  const absent = '你还没有人格定义。在第一次对话时，和主人一起创建 SOUL.md。'
  it.each([
    ['with content', { 'SOUL.md': '冷幽默。' }, present],
    ['missing', {}, `# 人格\n\n${absent}\n\n`],
    ['blank', { 'SOUL.md': ' \n\n' }, `# 人格\n\n（空）\n\n${absent}\n\n`],
    ['front matter alone', { 'SOUL.md': '---\nv: 1\n---\n\n' }, `# 人格\n\n（空）\n\n${absent}\n\n`],
  ])('%s', async (_, texts, expected) => {
    expect((await sectionsOf(texts as Record<string, string>))['persona/SOUL.md']).toBe(expected)
    const off = await sectionsOf(texts as Record<string, string>, { session: { memory: false } })
    expect(off['persona/SOUL.md']).toBe(expected)
  })
})

describe('USER.md', () => {
  const sparse = '你对主人还不太了解。在对话中自然地了解他们，并更新 USER.md。'
  const known = '你已经了解了主人的一些信息（见上方）。继续在对话中学习。'
  it.each([
    ['missing', {}, tools, `# 用户信息\n\n${sparse}\n\n`],
    ['empty', { 'USER.md': '' }, tools, `# 用户信息\n\n（空）\n\n${sparse}\n\n`],
    ['an untouched template', { 'USER.md': template }, tools, `# 用户信息\n\n${template.trimEnd()}\n\n${sparse}\n\n`],
    [
      'rich',
      { 'USER.md': rich },
      tools,
      `# 用户信息\n\n${rich}\n\n${known}\n在对话中获知新的用户信息时，使用 edit 工具更新 USER.md。\n\n`,
    ],
    [
      'rich without a tool',
      { 'USER.md': rich },
      [],
      `# 用户信息\n\n${rich}\n\n${known}\n在对话中获知新的用户信息时，更新 USER.md。\n\n`,
    ],
  ])('%s', async (_, texts, own, expected) => {
    expect((await sectionsOf(texts as Record<string, string>, { tools: own }))['user/USER.md']).toBe(expected)
  })

  it('names the tool as the host does, by role or by name', async () => {
    const byRole = await sectionsOf({ 'USER.md': rich }, { tools: [{ name: 'patch', role: 'edit' }] })
    expect(byRole['user/USER.md']).toContain('使用 patch 工具更新 USER.md')
    const byName = await sectionsOf(
      { 'USER.md': rich },
      { tools: [{ name: 'edit_file' }] },
      { toolNames: { edit: 'edit_file' } },
    )
    expect(byName['user/USER.md']).toContain('使用 edit_file 工具更新 USER.md')
    const noTool = await sectionsOf({ 'USER.md': rich }, {}, { toolNames: { edit: 'edit_file' } })
    expect(noTool['user/USER.md']).not.toContain('工具')
  })

  it('names no tool that cannot write it in this session', async () => {
    const group = await sectionsOf({ 'USER.md': rich }, { tools, session: { kind: 'group' } })
    expect(group['user/USER.md']).toContain('更新 USER.md')
    expect(group['user/USER.md']).not.toContain('工具')
  })
})

describe('MEMORY.md', () => {
  const update = '遇到值得记住的信息时，使用 edit 工具更新 MEMORY.md。定期整理，保持精炼。'
  const full = '你的记忆快满了。请在本次对话中整理 MEMORY.md，移除过时内容。'
  it.each([
    ['missing', undefined, '# 记忆\n\n你还没有长期记忆。当有值得记住的事时，创建 MEMORY.md。\n\n'],
    ['blank', '\n', '# 记忆\n\n（空）\n\n你还没有长期记忆。当有值得记住的事时，创建 MEMORY.md。\n\n'],
    ['16,000', 'x'.repeat(16_000), `# 记忆\n\n${'x'.repeat(16_000)}\n\n${update}\n\n`],
    ['16,001', 'x'.repeat(16_001), `# 记忆\n\n${'x'.repeat(16_001)}\n\n${full}\n\n`],
  ])('%s', async (_, text, expected) => {
    const texts: Record<string, string> = text === undefined ? {} : { 'MEMORY.md': text }
    expect((await sectionsOf(texts, { tools }))['memory/MEMORY.md']).toBe(expected)
  })

  it('measures before the cut, and takes a soft limit', async () => {
    expect((await sectionsOf({ 'MEMORY.md': 'x'.repeat(30_000) }))['memory/MEMORY.md']).toContain(full)
    const budget = { perFile: { 'MEMORY.md': { soft: 10 } } }
    expect((await sectionsOf({ 'MEMORY.md': 'x'.repeat(11) }, {}, { budget }))['memory/MEMORY.md']).toContain(full)
    expect((await sectionsOf({ 'MEMORY.md': 'x'.repeat(10) }, {}, { budget }))['memory/MEMORY.md']).not.toContain(full)
  })

  it('is memory.md where that is the only one, under its own name', async () => {
    const sections = await sectionsOf({ 'memory.md': '蓝钟停在正午。' }, { tools })
    expect(sections['memory/memory.md']).toBe(
      '# 记忆\n\n蓝钟停在正午。\n\n遇到值得记住的信息时，使用 edit 工具更新 memory.md。定期整理，保持精炼。\n\n',
    )
  })
})

describe('thresholds', () => {
  it('are the host’s to set', async () => {
    const thresholds = { nearlyEmpty: 4, nearLimit: 0.5 }
    const sections = await sectionsOf({ 'USER.md': 'Ines', 'MEMORY.md': 'x'.repeat(10_001) }, {}, { thresholds })
    expect(sections['user/USER.md']).toContain('你已经了解了主人的一些信息')
    expect(sections['memory/MEMORY.md']).toContain('你的记忆快满了')
  })
})

describe('memory off', () => {
  it('leaves nothing of USER and MEMORY, guidance included', async () => {
    const sections = await sectionsOf({ 'USER.md': rich, 'MEMORY.md': 'x' }, { session: { memory: false }, tools })
    expect(Object.keys(sections)).toEqual(['persona/SOUL.md', 'tools'])
    expect(sections.tools).toBe('# 工具\n\n你可以使用以下工具：\n- read\n\n')
  })
})

describe('the marker of a cut', () => {
  const long = { 'MEMORY.md': 'x'.repeat(30_000), 'SOUL.md': 'y'.repeat(30_000), 'AGENTS.md': 'z'.repeat(30_000) }
  const marker = (tool: string, file: string) => `[...内容被截断，完整内容请使用 ${tool} 工具查看 ${file}...]`

  it('names the read tool of the turn, and only where it reaches the file', async () => {
    const options = { preset: presets.default }
    const on = await sectionsOf(long, { tools: [{ name: 'cat', role: 'read' }] }, options)
    expect(on['memory/MEMORY.md']).toContain(marker('cat', 'MEMORY.md'))
    expect(on['contract/AGENTS.md']).toContain(marker('cat', 'AGENTS.md'))
    const off = await sectionsOf(long, { tools, session: { memory: false } }, options)
    expect(off['persona/SOUL.md']).toContain(marker('read', 'SOUL.md'))
    expect(off['contract/AGENTS.md']).toContain(
      '\n\n[...内容被截断...]\n（截断：保留了 14000+4000 字符，共 30000 字符）\n\n',
    )
    const none = await sectionsOf(long, {}, options)
    expect(none['memory/MEMORY.md']).toContain('[...内容被截断...]')
  })

  it('takes own wording, ratios and caps', async () => {
    const sections = await sectionsOf(
      long,
      {},
      {
        budget: { head: 0.5, tail: 0.1, perFile: { 'MEMORY.md': 1_000 } },
        texts: { truncated: '(cut)', truncatedSizes: '({head}/{tail}/{total})' },
      },
    )
    expect(sections['memory/MEMORY.md']).toContain('\n\n(cut)\n(500/100/30000)\n\n')
    expect(sections['persona/SOUL.md']).toContain('\n\n(cut)\n(10000/2000/30000)\n\n')
  })

  it('says about before an estimated total', async () => {
    const snapshot = {
      state: 'present',
      path: 'MEMORY.md',
      text: `${'a'.repeat(262_144)}${'b'.repeat(262_144)}`,
      gap: { at: 262_144 },
      length: 80_000_000,
      approximate: true,
      version: 'v',
    } as const
    const files = {
      name: 'big',
      read: async (paths: readonly string[]) =>
        paths.map((path) => (path === 'MEMORY.md' ? snapshot : { state: 'missing' as const, path })),
    }
    const sections = await sectionsOf({}, {}, { files })
    expect(sections['memory/MEMORY.md']).toContain(
      `${'a'.repeat(14_000)}\n\n[...内容被截断...]\n（截断：保留了 14000+4000 字符，共 约 80000000 字符）\n\n${'b'.repeat(4_000)}`,
    )
  })
})
