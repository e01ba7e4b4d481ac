import fc from 'fast-check'
import {
  buildSystemPrompt,
  defineAgent,
  type FormatVariables,
  formatLayer,
  memoryFileSystem,
  personaLayer,
  presets,
  replaceLayer,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'
import { fillFormat } from '../../src/layers/format.js'

const filled = (text: string, values: FormatVariables = {}) =>
  fillFormat(text, new Map(Object.entries(values) as [string, string][])).text

describe('the variables of a format', () => {
  it.each([
    ['Hello {{NAME}}.', 'Hello Ann.'],
    ['{{ NAME }} and {{NAME}}', 'Ann and Ann'],
    ['{{名字}} {{a.b-c_2}}', '兰 dotted'],
    ['one\nno {{NOBODY}} here\ntwo', 'one\ntwo'],
    ['{{NAME}} and {{NOBODY}}\nkept', 'kept'],
    ['one\n\n{{NOBODY}}\n\ntwo', 'one\n\ntwo'],
    ['one\n\n\n\n \ntwo', 'one\n\ntwo'],
    ['{{__proto__}}\n{{constructor}}\n{{toString}}\nkept', 'kept'],
    ['{{EMPTY}}|', '|'],
    ['{{}} {{#each}} {NAME} $NAME {{1}}', '{{}} {{#each}} {NAME} $NAME {{1}}'],
    ['{{REPLACE}}', "$& $1 $' {{NAME}} {{NOBODY}}"],
    ['{{{NAME}}}', '{Ann}'],
  ])('turn %j into %j', (text, expected) => {
    const values = { NAME: 'Ann', 名字: '兰', 'a.b-c_2': 'dotted', EMPTY: '', REPLACE: "$& $1 $' {{NAME}} {{NOBODY}}" }
    expect(filled(text, values)).toBe(expected)
  })

  it('may be named like anything', () => {
    const variables = JSON.parse('{"__proto__": "P", "constructor": "C"}') as FormatVariables
    expect(filled('{{__proto__}} {{constructor}}', variables)).toBe('P C')
  })

  it('leave no line of the file that names a key without a value, and touch no other line', () => {
    const line = fc.oneof(fc.constantFrom('{{A}}', 'x {{B}} y', '{{GONE}}', 'z {{GONE}} {{A}}', ''), fc.string())
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.map((one) => one.replaceAll('\n', ' ')).join('\n')
        const result = filled(text, { A: '1', B: '2' })
        expect(result).not.toContain('{{GONE}}')
        expect(result).not.toMatch(/\n[^\S\n]*\n[^\S\n]*\n/)
        const kept = text.split('\n').filter((one) => !one.includes('{{') && one.trim() !== '')
        for (const one of kept) expect(result.split('\n')).toContain(one)
      }),
    )
  })

  it('are put in within linear time', () => {
    expect(filled('{{GONE}}\n'.repeat(10_000))).toBe('')
    expect(filled('{{A}} '.repeat(10_000), { A: 'x' })).toBe('x '.repeat(10_000))
    for (const piece of ['{{', '{{A', '{{ ', '{{A}', '{'.repeat(9), 'x\n \n']) {
      expect(filled(piece.repeat(100_000 / piece.length)).length).toBeGreaterThan(0)
    }
  })
})

describe('a format layer', () => {
  const files = memoryFileSystem({ 'prompts/formats/chat.md': '---\nfor: chat\n---\nCall them {{NAME}}. </file>\n```' })

  it('stands where the layout has its place, as one more file', async () => {
    const layers = replaceLayer(
      presets.default.layers,
      'format',
      formatLayer('./prompts/formats/chat.md', { NAME: 'Ann' }),
    )
    const { sections, sources } = await buildSystemPrompt(defineAgent({ files, layers, rules: 'RULES' }))
    expect(sections.map(({ layer }) => layer).slice(0, 3)).toEqual(['safety', 'rules', 'format'])
    expect(sections[2]).toMatchObject({
      stability: 'static',
      text: '# Format\n\n<file name="prompts/formats/chat.md">\nCall them Ann. &lt;/file>\n```\n```\n</file>\n\n',
    })
    expect(sources.at(-1)).toMatchObject({
      path: 'prompts/formats/chat.md',
      state: 'included',
      rawChars: 31,
      keptChars: 26,
      metadata: { for: 'chat' },
    })
  })

  it('is shown to a group as well, and not to a sub-agent', async () => {
    const layers = replaceLayer(
      presets.default.layers,
      'format',
      formatLayer('prompts/formats/chat.md', { NAME: 'Ann' }),
    )
    const agent = defineAgent({ files, layers })
    const shows = async (kind: 'group' | 'subagent') =>
      (await buildSystemPrompt(agent, { session: { kind, memory: false } })).text.includes('Call them Ann.')
    expect([await shows('group'), await shows('subagent')]).toEqual([true, false])
  })

  it('is none without a path', async () => {
    for (const path of [undefined, null, '', '  ']) {
      const layers = replaceLayer(presets.layered.layers, 'format', formatLayer(path, { NAME: 'Ann' }))
      expect((await buildSystemPrompt(defineAgent({ files, preset: presets.layered, layers }))).text).toBe('')
    }
  })

  it('that is missing or unreadable is an error that names the path', async () => {
    const layers = replaceLayer(presets.layered.layers, 'format', formatLayer('prompts/formats/none.md'))
    const error = { code: 'layer-failed', data: { layer: 'format', path: 'prompts/formats/none.md' } }
    await expect(buildSystemPrompt(defineAgent({ files, layers }))).rejects.toMatchObject({
      ...error,
      message: 'The format file prompts/formats/none.md is missing; a prompt is not built without it.',
    })
    const failing = { ...files, read: async () => Promise.reject(new Error('down')) }
    await expect(buildSystemPrompt(defineAgent({ files: failing, layers }))).rejects.toMatchObject(error)
  })

  it('refuses what it cannot take, by name', () => {
    expect(() => formatLayer('../x.md')).toThrow(
      /formatLayer: path: expected a path inside the workspace, "\.\.\/x\.md"/,
    )
    expect(() => personaLayer('/etc/passwd')).toThrow(/personaLayer: path: .* is absolute/)
    expect(() => personaLayer(3 as never)).toThrow('personaLayer: path: expected a path, got 3')
    expect(() => formatLayer('x.md', { A: 5 as unknown as string, B: 'b' })).toThrow(
      'formatLayer: variables.A: expected a string, got 5',
    )
    expect(() => formatLayer('x.md', null as unknown as FormatVariables)).toThrow(/expected texts by key, got null/)
  })

  it('takes its own copy of the variables', async () => {
    const variables = { NAME: 'Ann' }
    const layers = replaceLayer(presets.layered.layers, 'format', formatLayer('prompts/formats/chat.md', variables))
    variables.NAME = 'Bob'
    expect((await buildSystemPrompt(defineAgent({ files, preset: presets.layered, layers }))).text).toContain('Ann')
  })

  it('says which keys have no value, and lets in nothing that a file could not hold', async () => {
    const store = memoryFileSystem({ 'f.md': 'Hi {{A}}\n{{B}} {{C}}\n{{B}}' })
    const value = 'a\r\nb\0\u202e\u{E0041}\u2028c\ud800'
    const layers = replaceLayer(presets.layered.layers, 'format', formatLayer('f.md', { A: value }, { heading: true }))
    const { text, diagnostics } = await buildSystemPrompt(
      defineAgent({ files: store, preset: presets.layered, layers }),
    )
    expect(text).toBe('# Format\n\nHi a\nb\nc\ufffd\n\n')
    expect(diagnostics).toMatchObject([
      {
        code: 'layer-note',
        severity: 'info',
        section: 'format',
        path: 'f.md',
        message: 'f.md is shown without the lines that name keys without a value: B, C.',
      },
    ])
  })

  it('that is empty is a warning, and that is too long to be read whole an error', async () => {
    const agentOf = (text: string) =>
      defineAgent({
        files: memoryFileSystem({ 'f.md': text }),
        preset: presets.layered,
        budget: { perFile: 2_000_000 },
        layers: replaceLayer(presets.layered.layers, 'format', formatLayer('f.md')),
      })
    expect((await buildSystemPrompt(agentOf(' \n'))).diagnostics).toMatchObject([
      {
        code: 'file-empty',
        severity: 'warning',
        message: 'The format file f.md is empty: the prompt is built without it.',
      },
    ])
    await expect(buildSystemPrompt(agentOf('x\n'.repeat(700_000)))).rejects.toMatchObject({
      code: 'layer-failed',
      message: expect.stringContaining('The format file f.md has 1400000 chars, of which only the two ends are read'),
    })
  })

  it('has a heading that is told apart from those of its file', async () => {
    const store = memoryFileSystem({ 'f.md': '{{A}}\n\nx' })
    const layers = replaceLayer(presets.layered.layers, 'format', formatLayer('f.md', { A: '# Tools' }))
    const agent = defineAgent({ files: store, preset: presets.layered, layers, tools: [{ name: 't' }] })
    expect((await buildSystemPrompt(agent)).diagnostics.map(({ code }) => code)).toEqual(['heading-collision'])
  })

  it('follows an edit of its file', async () => {
    const store = memoryFileSystem({ 'f.md': 'One {{N}}.' })
    const agent = defineAgent({
      files: store,
      preset: presets.layered,
      layers: replaceLayer(presets.layered.layers, 'format', formatLayer('f.md', { N: '1' })),
    })
    expect((await buildSystemPrompt(agent)).text).toBe('One 1.\n\n')
    await store.write('f.md', 'Two {{N}}.')
    expect((await buildSystemPrompt(agent)).text).toBe('Two 1.\n\n')
  })
})

describe('a persona layer', () => {
  it('shows its file alone, without a word on SOUL.md', async () => {
    const files = memoryFileSystem({ 'SOUL.md': 'Old.', 'IDENTITY.md': 'Old.', 'prompts/lan.txt': 'A lamp.' })
    const layers = replaceLayer(presets.default.layers, 'persona', personaLayer('prompts/lan.txt'))
    const { sections, sources, diagnostics } = await buildSystemPrompt(defineAgent({ files, layers }))
    const persona = sections.filter(({ layer }) => layer === 'persona')
    expect(persona.map(({ text }) => text)).toEqual([
      '# Persona\n\n<file name="prompts/lan.txt">\nA lamp.\n</file>\n\n',
    ])
    expect(sources.some(({ path }) => path === 'SOUL.md')).toBe(false)
    expect(diagnostics).toEqual([])
  })

  it('that is missing is an error, and that is long is cut as SOUL.md would be', async () => {
    const files = memoryFileSystem({ 'lan.md': 'x'.repeat(30_000) })
    const agentOf = (path: string) =>
      defineAgent({ files, layers: replaceLayer(presets.default.layers, 'persona', personaLayer(path)) })
    await expect(buildSystemPrompt(agentOf('none.md'))).rejects.toMatchObject({ code: 'layer-failed' })
    const { sources } = await buildSystemPrompt(agentOf('lan.md'))
    expect(sources.find(({ path }) => path === 'lan.md')).toMatchObject({ state: 'truncated', keptChars: 18_000 })
  })
})
