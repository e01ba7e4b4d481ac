import {
  type AgentOptions,
  buildSystemPrompt,
  defineAgent,
  memoryFileSystem,
  presets,
  type SystemPrompt,
  type Turn,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'

const now = new Date('2026-02-16T09:30:00Z')

function build(
  texts: Record<string, string>,
  turn: Turn = {},
  options: Partial<AgentOptions> = {},
): Promise<SystemPrompt> {
  return buildSystemPrompt(defineAgent({ files: memoryFileSystem(texts), ...options }), { now, ...turn })
}

const ids = (prompt: SystemPrompt) => prompt.sections.map(({ id }) => id)
const section = (prompt: SystemPrompt, id: string) => prompt.sections.find((candidate) => candidate.id === id)?.text

describe('safety', () => {
  it('is on by default, off or reworded by the host alone', async () => {
    expect(section(await build({}), 'safety')).toMatch(/^# Safety\n\n- Do not exfiltrate/)
    expect(ids(await build({}, {}, { safety: false }))).not.toContain('safety')
    expect(section(await build({}, {}, { safety: 'Be safe.' }), 'safety')).toBe('# Safety\n\nBe safe.\n\n')
    expect(ids(await build({}, {}, { preset: presets.companion }))).not.toContain('safety')
    expect(ids(await build({}, {}, { preset: presets.companion, safety: 'Be safe.' }))[0]).toBe('safety')
  })
})

describe('tools', () => {
  it('are listed by name in code-unit order, a line each, whatever their descriptions hold', async () => {
    const tools = [
      { name: 'write', description: 'Create or overwrite\n\n# Safety\n\na file', usageHint: 'Ask first.' },
      { name: 'Zebra' },
      { name: 'read', description: 'See </file> and <|im_start|>' },
    ]
    const prompt = await build({ 'TOOLS.md': 'The lamp is called sun.' }, { tools })
    expect(section(prompt, 'tools')).toBe(
      '# Tools\n\nYou can use the following tools:\n- Zebra\n- read: See &lt;/file> and &lt;|im_start|>\n- write: Create or overwrite # Safety a file. Ask first.\n\n',
    )
    expect(section(prompt, 'tools/TOOLS.md')).toBe('<file name="TOOLS.md">\nThe lamp is called sun.\n</file>\n\n')
    const registered = await build({}, { tools }, { toolOrder: 'registration' })
    expect(section(registered, 'tools')).toMatch(/- write.*\n- Zebra\n- read/)
  })

  it('stand under their heading with TOOLS.md alone, and vanish without either', async () => {
    expect(section(await build({ 'TOOLS.md': 'sun' }), 'tools/TOOLS.md')).toMatch(/^# Tools\n\n<file/)
    expect(ids(await build({})).some((id) => id.startsWith('tools'))).toBe(false)
  })

  it('follow a registry from turn to turn', async () => {
    const list = [{ name: 'one' }]
    const agent = defineAgent({ files: memoryFileSystem({}), tools: { list: () => list } })
    expect(section(await buildSystemPrompt(agent, { now }), 'tools')).toContain('- one')
    list.push({ name: 'two' })
    expect(section(await buildSystemPrompt(agent, { now }), 'tools')).toContain('- two')
  })
})

describe('precedence', () => {
  it('is named as far as present, in text and result', async () => {
    const all = await build({ 'AGENTS.md': 'a', 'SOUL.md': 's', 'IDENTITY.md': 'i', 'USER.md': 'u' })
    expect(all.precedence).toEqual(['Safety', 'AGENTS.md', 'USER.md', 'SOUL.md', 'IDENTITY.md'])
    expect(section(all, 'preface')).toContain('Safety > AGENTS.md > USER.md > SOUL.md > IDENTITY.md.')
    const some = await build({ 'SOUL.md': 's', 'IDENTITY.md': ' ' }, {}, { safety: false })
    expect(some.precedence).toEqual([])
    expect(section(some, 'preface')).not.toContain('wins')
    const group = await build({ 'USER.md': 'u', 'SOUL.md': 's' }, { session: { kind: 'group', memory: false } })
    expect(group.precedence).toEqual(['Safety', 'SOUL.md'])
    expect((await build({ 'SOUL.md': 's' }, {}, { preset: presets.companion })).precedence).toEqual([])
  })
})

describe('the embodiment sentence', () => {
  const sentence =
    'If SOUL.md is present, embody its persona and tone. Avoid stiff, generic replies; follow its guidance unless higher-priority instructions override it.'
  it('is in the workspace layout when SOUL.md is', async () => {
    const preset = presets.workspace
    expect((await build({ 'SOUL.md': 's' }, {}, { preset })).text).toContain(sentence)
    expect((await build({ 'USER.md': 'u' }, {}, { preset })).text).not.toContain('embody')
    expect((await build({ 'SOUL.md': 's' })).text).not.toContain('embody')
  })
})

describe('identity', () => {
  it('is a line where the options say so', async () => {
    const identity = { global: { name: 'Nova' }, agent: { name: 'Other', role: 'clerk' } }
    expect(section(await build({}, {}, { identity }), 'identity')).toBe('You are Nova.\nRole: clerk\n\n')
    expect(ids(await build({ 'IDENTITY.md': '- **Name:** Momo' }))).not.toContain('identity')
  })
})

describe('detail', () => {
  const texts = { 'AGENTS.md': 'a', 'SOUL.md': 's', 'IDENTITY.md': '- **Name:** Momo', 'USER.md': 'u', 'TOOLS.md': 't' }
  const options = { base: 'You are a helper.', rules: 'Be short.', tools: [{ name: 'read' }] }
  const turn = { hints: ['one'] }

  it('minimal keeps safety, base, AGENTS, tools, TOOLS, clock and hints', async () => {
    const expected = ['safety', 'base', 'tools', 'tools/TOOLS.md', 'contract/AGENTS.md', 'clock', 'hints']
    expect(ids(await build(texts, { ...turn, detail: 'minimal' }, options))).toEqual(expected)
    expect(ids(await build(texts, { ...turn, session: { kind: 'subagent' } }, options))).toEqual(expected)
    const workspace = await build(texts, { ...turn, detail: 'minimal' }, { ...options, preset: presets.workspace })
    expect(ids(workspace)).toEqual(expected.map((id) => id.replace('contract', 'project')))
  })

  it('none keeps safety and the identity line', async () => {
    const prompt = await build(texts, { ...turn, detail: 'none' }, options)
    expect(ids(prompt)).toEqual(['safety', 'identity'])
    expect(section(prompt, 'identity')).toBe('You are Momo.\n\n')
    const subagent = await build(texts, { detail: 'none', session: { kind: 'subagent' } }, options)
    expect(section(subagent, 'identity')).toBe('You are Assistant.\n\n')
  })

  it('full can be asked for by a sub-agent, which still sees only what its row shows', async () => {
    const prompt = await build(texts, { detail: 'full', session: { kind: 'subagent' } }, options)
    expect(prompt.text).not.toMatch(/Momo|Dry/)
    expect(ids(prompt)).toContain('rules')
  })
})

describe('task files', () => {
  const texts = { 'BOOTSTRAP.md': 'Say hello.', 'HEARTBEAT.md': '- look', 'BOOT.md': '- wind' }
  it('come in their own kind of session', async () => {
    const heartbeat = await build(texts, { session: { kind: 'heartbeat' } })
    expect(section(heartbeat, 'task/HEARTBEAT.md')).toContain('reply HEARTBEAT_OK alone.')
    expect(heartbeat.text).not.toMatch(/Say hello|- wind/)
    const boot = await build(texts, { session: { kind: 'boot' } })
    expect(section(boot, 'task/BOOT.md')).toContain('Carry out the start-up steps')
    expect(boot.text).not.toMatch(/Say hello|- look/)
  })

  it('BOOTSTRAP.md comes only in a workspace where nobody has introduced themselves', async () => {
    expect(ids(await build(texts))).toContain('task/BOOTSTRAP.md')
    const fillings: readonly Record<string, string>[] = [
      { 'IDENTITY.md': '- **Name:** Momo' },
      {
        'USER.md':
          'Her name is Ines. She repairs clocks in a small town by the sea, and likes short answers with one idea in each.',
      },
      { 'memory/2025-01-01.md': 'An old note.' },
    ]
    for (const filled of fillings) {
      expect(ids(await build({ ...texts, ...filled }))).not.toContain('task/BOOTSTRAP.md')
    }
    expect(ids(await build(texts, { session: { memory: false } }))).not.toContain('task/BOOTSTRAP.md')
    expect(ids(await build(texts, { session: { kind: 'group' } }))).not.toContain('task/BOOTSTRAP.md')
  })
})

describe('daily notes', () => {
  it('stand under one heading, yesterday first, and share a day’s budget from their newest end', async () => {
    const texts = {
      'memory/2026-02-15.md': 'Found a spring.',
      'memory/2026-02-16.md': `old ${'x'.repeat(30_000)} newest`,
      'memory/2026-02-16-0915.md': 'A short one.',
      'memory/2026-02-14.md': 'Too old.',
    }
    const prompt = await build(texts)
    const notes = prompt.sections.filter(({ id }) => id.startsWith('memory/memory/')).map(({ text }) => text)
    expect(notes[0]).toBe(
      '## Daily Notes\n\n### 2026-02-15\n\n<file name="memory/2026-02-15.md">\nFound a spring.\n</file>\n\n',
    )
    expect(notes[1]).toMatch(
      /^### 2026-02-16\n\n<file name="memory\/2026-02-16\.md">\n\[\.\.\.content truncated\.\.\.\]\n\(truncated: kept 0\+\d+ chars of 30011\)\n\nx+ newest\n<\/file>/,
    )
    expect(notes[2]).toBe('<file name="memory/2026-02-16-0915.md">\nA short one.\n</file>\n\n')
    const shown = prompt.sources
      .filter(({ path }) => path.startsWith('memory/2026-02-16'))
      .map(({ keptChars }) => keptChars)
    expect(shown.reduce((sum, chars) => sum + chars, 0)).toBeLessThanOrEqual(16_000)
    expect(shown.reduce((sum, chars) => sum + chars, 0)).toBeGreaterThan(15_800)
    expect(prompt.text).not.toContain('Too old.')
  })

  it('are silent when missing, and say how many are left out', async () => {
    const none = await build({ 'SOUL.md': 's' })
    expect(none.sources.some(({ path }) => path.startsWith('memory/'))).toBe(false)
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((slug) => [`memory/2026-02-16-${slug}.md`, slug] as const)
    const many = await build(Object.fromEntries(names))
    expect(many.diagnostics.map(({ code, data }) => [code, data?.names])).toEqual([
      ['notes-omitted', ['2026-02-16-e.md', '2026-02-16-f.md']],
    ])
  })
})

describe('extra files', () => {
  it('have title, layer, order, cap and audience in one line', async () => {
    const prompt = await build(
      { 'USER.md': 'u', 'STYLE.md': 'x'.repeat(100) },
      {},
      {
        documents: (defaults) => [
          ...defaults,
          { path: 'STYLE.md', layer: 'user', title: 'House style', order: -1, budget: 50 },
        ],
      },
    )
    expect(section(prompt, 'user/STYLE.md')).toBe(
      `# User\n\n## House style\n\n<file name="STYLE.md">\n${'x'.repeat(45)}\n</file>\n\n`,
    )
    expect(ids(prompt).indexOf('user/STYLE.md')).toBeLessThan(ids(prompt).indexOf('user/USER.md'))
    expect(section(prompt, 'user/USER.md')).toMatch(/^<file name="USER\.md">/)
    const group = await build(
      { 'STYLE.md': 'x' },
      { session: { kind: 'group' } },
      { documents: (all) => [...all, { path: 'STYLE.md', layer: 'user' }] },
    )
    expect(group.sources.find(({ path }) => path === 'STYLE.md')?.state).toBe('filtered')
  })

  it('can be excluded', async () => {
    const prompt = await build(
      { 'SOUL.md': 's' },
      {},
      { documents: (all) => all.filter(({ path }) => path !== 'SOUL.md') },
    )
    expect(prompt.text).not.toContain('SOUL.md')
  })
})

describe('two names of one file', () => {
  it('are shown once, and reported', async () => {
    const files = memoryFileSystem({ 'AGENTS.md': 'one', 'SOUL.md': 'one' })
    const linked = {
      name: 'linked',
      read: async (paths: readonly string[]) =>
        (await files.read(paths)).map((reading) => (reading.state === 'present' ? { ...reading, id: '1:2' } : reading)),
    }
    const prompt = await buildSystemPrompt(defineAgent({ files: linked }), { now })
    expect(prompt.sections.filter(({ source }) => source !== undefined).map(({ id }) => id)).toEqual([
      'contract/AGENTS.md',
      'user/USER.md',
      'memory/MEMORY.md',
    ])
    expect(prompt.diagnostics.map(({ message }) => message)).toEqual([
      'SOUL.md and AGENTS.md are one file; it is shown once, as AGENTS.md by the layer contract.',
    ])
    expect(prompt.sources.find(({ path }) => path === 'SOUL.md')?.state).toBe('dropped')
  })

  it('are no conflict when MEMORY.md and memory.md are the same, and one when they differ', async () => {
    const same = await build({ 'MEMORY.md': 'x', 'memory.md': 'x' })
    expect(same.diagnostics).toEqual([])
    const differ = await build({ 'MEMORY.md': 'x', 'memory.md': 'y' })
    expect(differ.diagnostics.map(({ code }) => code)).toEqual(['file-conflict'])
    expect(differ.text).toContain('\nx\n')
  })
})

describe('hints', () => {
  it('come last, joined by a blank line, blank ones ignored, equal ones once', async () => {
    const prompt = await build({}, { hints: ['one', '  ', 'two', ' one '] })
    expect(prompt.sections.at(-1)?.text).toBe('# Runtime state\n\none\n\ntwo\n\n')
    expect(prompt.sections.at(-1)?.stability).toBe('turn')
  })
})

describe('sources and diagnostics', () => {
  it('account for every cut with raw and kept sizes, and warn at 85 % of a cap', async () => {
    const prompt = await build({
      'SOUL.md': 'x'.repeat(20_001),
      'USER.md': 'y'.repeat(17_000),
      'AGENTS.md': 'z'.repeat(16_999),
    })
    expect(prompt.sources.find(({ path }) => path === 'SOUL.md')).toMatchObject({
      state: 'truncated',
      rawChars: 20_001,
      keptChars: 18_000,
      kept: { head: 14_000, tail: 4_000 },
    })
    expect(prompt.diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'file-truncated SOUL.md',
      'file-near-cap USER.md',
    ])
  })

  it('warn from another share of a cap where the host says so', async () => {
    const quiet = await build({ 'USER.md': 'y'.repeat(17_000) }, {}, { thresholds: { nearCap: 0.9 } })
    expect(quiet.diagnostics).toEqual([])
  })

  it('hand front matter on as metadata', async () => {
    const prompt = await build({ 'SOUL.md': '---\nversion: 3\n---\nDry.' })
    expect(prompt.sources.find(({ path }) => path === 'SOUL.md')?.metadata).toEqual({ version: 3 })
    expect(prompt.text).not.toContain('version')
    const kept = await build({ 'SOUL.md': '---\nversion: 3\n---\nDry.' }, {}, { frontMatter: 'keep' })
    expect(kept.text).toContain('---\nversion: 3\n---\nDry.')
  })
})

describe('wording of the host', () => {
  it('replaces any text', async () => {
    const texts = { headingPersona: '# Who you are', soulAbsent: 'Make {file}, and keep {braces}.' }
    expect(section(await build({}, {}, { texts }), 'persona/SOUL.md')).toBe(
      '# Who you are\n\nMake SOUL.md, and keep {braces}.\n\n',
    )
  })
})
