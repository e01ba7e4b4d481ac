import {
  type AgentOptions,
  buildSystemPrompt,
  composeSystemPrompt,
  defineAgent,
  type FileSystem,
  insertBefore,
  type Layer,
  loadWorkspace,
  memoryFileSystem,
  presets,
  type SystemPrompt,
  snapshotOf,
  type Turn,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'

const now = new Date('2026-02-16T09:30:00Z')
const texts = {
  'SOUL.md': 'Dry humour.',
  'USER.md': 'Ines',
  'MEMORY.md': 'The blue clock.',
  'memory/2026-02-16.md': 'Wound it.',
}

const build = (options: Partial<AgentOptions>, turn: Turn = {}): Promise<SystemPrompt> =>
  buildSystemPrompt(defineAgent({ files: memoryFileSystem(texts), ...options }), { now, ...turn })
const withLayers = (...added: readonly Layer<unknown>[]) => insertBefore(presets.default.layers, 'hints', ...added)
const codes = (prompt: SystemPrompt) => prompt.diagnostics.map(({ code }) => code)
const throwing = () => {
  throw new Error('kaput')
}

describe('a file system that does not keep its contract', () => {
  const odd = (reading: object): FileSystem => ({
    name: 'odd',
    read: async (paths) =>
      paths.map((path) => (path === 'SOUL.md' ? { path, ...reading } : { state: 'missing', path })) as never,
  })
  const present = { state: 'present', text: 'Dry.', length: 4, version: '1' }

  it.each([
    [{ ...present, text: null }, 'null for its text, expected a string'],
    [{ ...present, text: Buffer.from('x') }, 'an object for its text'],
    [{ ...present, version: 5 }, '5 for its version'],
    [{ ...present, gap: null }, 'a gap at undefined'],
    [{ ...present, gap: { at: 9 } }, 'a gap at 9 in a text of 4'],
    [{ state: 'absent' }, 'the state "absent"'],
    [{ state: 'unreadable' }, 'the store failed'],
  ])('%j is one unreadable file', async (reading, message) => {
    const prompt = await build({ files: odd(reading) })
    expect(prompt.sources.find(({ path }) => path === 'SOUL.md')?.state).toBe('unreadable')
    expect(codes(prompt)).toEqual(['file-unreadable'])
    expect(prompt.diagnostics[0]?.message).toContain(message)
  })

  it('getters that throw are one unreadable file as well', async () => {
    const reading = {
      state: 'present',
      length: 1,
      version: '1',
      get text() {
        return throwing()
      },
    }
    const files: FileSystem = {
      name: 'odd',
      read: async (paths) =>
        paths.map((path) =>
          path === 'SOUL.md' ? Object.defineProperty(reading, 'path', { value: path }) : { state: 'missing', path },
        ) as never,
    }
    expect(codes(await build({ files }))).toEqual(['file-unreadable'])
  })

  it('a length that is none is the length of the text', async () => {
    const prompt = await build({ files: odd({ ...present, length: Number.NaN }) })
    expect(prompt.sources.find(({ path }) => path === 'SOUL.md')).toMatchObject({ state: 'included', rawChars: 4 })
  })

  it('a store that reuses its objects is read anew', async () => {
    const reading = { ...present, path: 'SOUL.md' }
    const agent = defineAgent({
      files: {
        name: 'reusing',
        read: async (paths) =>
          paths.map((path) => (path === 'SOUL.md' ? reading : { state: 'missing', path })) as never,
      },
    })
    expect((await buildSystemPrompt(agent, { now })).text).toContain('Dry.')
    Object.assign(reading, { text: 'Wry.', version: '2' })
    expect((await buildSystemPrompt(agent, { now })).text).toContain('Wry.')
  })

  it('one that changes the list it was given changes nothing for the next turn', async () => {
    const inner = memoryFileSystem(texts)
    const files: FileSystem = {
      name: 'shifting',
      read: async (paths) => {
        const asked = [...paths]
        ;(paths as string[]).length = 0
        return inner.read(asked)
      },
    }
    const agent = defineAgent({ files })
    await buildSystemPrompt(agent, { now })
    expect((await buildSystemPrompt(agent, { now })).text).toContain('Dry humour.')
  })

  it('one whose list never answers still has its files read', async () => {
    const inner = memoryFileSystem(texts)
    const files: FileSystem = { ...inner, list: () => new Promise(() => {}) }
    const prompt = await build({ files, deadlines: { files: 60 } })
    expect(codes(prompt)).toEqual(['list-failed'])
    expect(prompt.text).toContain('Dry humour.')
    expect(prompt.text).toContain('Wound it.')
  })
})

describe('layers that are no good neighbours', () => {
  it('cannot change what the next one is given', async () => {
    const vandal: Layer<unknown> = {
      id: 'vandal',
      stability: 'static',
      render: ({ allDocuments, documents, notes, turn }) => {
        turn.now?.setFullYear(1999)
        for (const list of [allDocuments, documents, notes]) {
          try {
            ;(list as unknown[]).length = 0
          } catch {}
        }
        return []
      },
    }
    const witness: Layer<unknown> = {
      id: 'witness',
      stability: 'turn',
      render: ({ turn }) => [{ text: `${turn.now?.getFullYear()}` }],
    }
    const prompt = await build({ layers: [vandal, ...withLayers(witness)] })
    expect(prompt.text).toContain('Dry humour.')
    expect(prompt.text).toContain('Wound it.')
    expect(prompt.sections.find(({ id }) => id === 'witness')?.text).toBe('2026\n\n')
  })

  it('are asked again after they threw', async () => {
    for (const method of ['render', 'documents'] as const) {
      let calls = 0
      const once = () => {
        calls += 1
        if (calls === 1) throw new Error('not yet')
        return []
      }
      const layer = { id: 'shy', stability: 'turn', render: () => [{ text: 'here' }], [method]: once } as Layer<unknown>
      const agent = defineAgent({ files: memoryFileSystem(texts), layers: withLayers(layer) })
      expect(codes(await buildSystemPrompt(agent, { now }))).toContain('layer-failed')
      expect(codes(await buildSystemPrompt(agent, { now }))).not.toContain('layer-failed')
      expect(calls).toBeGreaterThan(1)
    }
  })

  it('get their data anew even where it is the same object', async () => {
    const state = { mood: 'calm' }
    const layer: Layer<typeof state> = {
      id: 'mood',
      stability: 'turn',
      load: async () => state,
      render: ({ data }) => [{ text: `${data?.mood}` }],
    }
    const agent = defineAgent({ files: memoryFileSystem(texts), layers: withLayers(layer as Layer<unknown>) })
    expect((await buildSystemPrompt(agent, { now })).text).toContain('calm')
    state.mood = 'cross'
    expect((await buildSystemPrompt(agent, { now })).text).toContain('cross')
  })

  it.each([
    ['hello', 'a section: expected an object, got "hello"'],
    [{ text: 'x', precedence: 5 }, 'precedence of a section'],
    [
      { text: 'x', stability: 'often' },
      'stability of a section: expected static, workspace, session or turn, got "often"',
    ],
    [{ text: 'x', id: Symbol('x') }, 'id of a section'],
    [
      { file: { content: 'x', state: 'present' } },
      'file of a section: expected one of the documents that the layer was given',
    ],
    [{ text: 'x', headings: ['# a\r# b'] }, 'headings of a section'],
    [{ text: 'x', notes: 'one' }, 'notes of a section: expected a list of sentences, got "one"'],
    [{ text: 'x', rule: '---' }, 'rule of a section: expected true or false, got "---"'],
    [{ text: 'x', share: 5 }, 'share of a section: expected a string, got 5'],
    [{ text: 'x', priority: Number.NaN }, 'priority of a section: expected a number, got NaN'],
    [
      {
        get text() {
          return throwing()
        },
      },
      'kaput',
    ],
  ])('are named when they draft something else (%#)', async (draft, message) => {
    const layer = { id: 'odd', stability: 'turn', render: () => [draft] } as never
    const prompt = await build({ layers: withLayers(layer) })
    expect(prompt.diagnostics.map(({ section }) => section)).toEqual(['odd'])
    expect(prompt.diagnostics[0]?.message).toContain(message)
    expect(structuredClone(prompt)).toEqual(prompt)
  })

  it('are named when they give no array', async () => {
    const layer = { id: 'odd', stability: 'turn', render: async () => [] } as never
    expect((await build({ layers: withLayers(layer) })).diagnostics[0]?.message).toContain(
      'render: expected an array of sections, got an object',
    )
  })

  it('may ask for a file that the manifest has too: it is shown once, and that is said', async () => {
    const layer: Layer<unknown> = {
      id: 'style',
      stability: 'workspace',
      documents: () => [{ path: './STYLE.md', layer: 'style' }],
      render: ({ documents }) => documents.map((file) => ({ file })),
    }
    const prompt = await build({
      files: memoryFileSystem({ 'STYLE.md': 'No exclamation marks.' }),
      layers: withLayers(layer),
      documents: (all) => [...all, { path: 'STYLE.md', layer: 'style' }],
    })
    expect(prompt.text.match(/No exclamation marks\./g)).toHaveLength(1)
    expect(prompt.diagnostics.map(({ message }) => message)).toEqual([
      'STYLE.md is asked for twice; it is shown once, by the layer style.',
    ])
    expect(prompt.sources.filter(({ path }) => path === 'STYLE.md')).toHaveLength(1)
  })

  it('that show no files are named when one is given to them', async () => {
    const prompt = await build({
      files: memoryFileSystem({ 'A.md': 'x', 'SOUL.md': 's' }),
      documents: (all) => [...all, { path: 'A.md', layer: 'clock' }],
    })
    expect(prompt.diagnostics.map(({ message }) => message)).toEqual([
      'A.md is there, and the layer clock did not show it.',
    ])
  })

  it('load through a file system that hides what the session may not see, whoever shows it', async () => {
    const seen: unknown[] = []
    const layer: Layer<unknown> = {
      id: 'nosy',
      stability: 'turn',
      load: async (_, { files }) => {
        const readings = await files.read(['MEMORY.md', './MEMORY.md', 'memory.md', 'memory/2026-02-16.md', 'own.json'])
        seen.push(
          readings.map(({ state }) => state),
          await files.list?.('./memory'),
          await files.list?.('memory'),
        )
      },
      render: () => [],
    }
    const files = memoryFileSystem({ ...texts, 'own.json': '{}' })
    await build(
      { files, layers: withLayers(layer), documents: (all) => all.filter(({ path }) => path !== 'MEMORY.md') },
      { session: { kind: 'group' } },
    )
    expect(seen).toEqual([['missing', 'missing', 'missing', 'missing', 'present'], [], []])
  })
})

describe('injectors and registries that are odd', () => {
  it.each([
    [() => ({ txt: 'x' }) as never, 'gave an object, expected a text or { text, source }'],
    [() => 42 as never, 'gave 42, expected'],
    [() => ({ text: 'x', source: Object.create(null) }) as never, 'gave an object, expected'],
    [
      () =>
        ({
          get text() {
            return throwing()
          },
        }) as never,
      'threw: kaput',
    ],
  ])('cost a diagnostic (%#)', async (inject, message) => {
    const prompt = await build({ injectors: [{ name: 'odd', inject }] })
    expect(prompt.diagnostics.map(({ message: text }) => text)).toEqual([expect.stringContaining(message)])
  })

  it('take no longer over a long name than over reading it', async () => {
    const tools = [{ name: `${'a'.repeat(1_000_000)}\n` }, { name: ' '.repeat(1_000_000) }]
    expect(codes(await build({ tools: { list: () => tools } }))).toEqual(['tools-failed', 'tools-failed'])
  })

  it('lose the tools that have no name', async () => {
    const tools = [
      { name: Symbol('x') },
      { name: 'fine' },
      {
        get name() {
          return throwing()
        },
      },
      { name: { toString: throwing } },
      null,
    ]
    const prompt = await build({ tools: { list: () => tools as never } })
    expect(prompt.sections.find(({ id }) => id === 'tools')?.text).toContain('- fine')
    expect(codes(prompt)).toEqual(['tools-failed', 'tools-failed', 'tools-failed', 'tools-failed'])
  })
})

describe('a snapshot composed for another session', () => {
  it('gives nothing of what that session may not see: names, errors, data, blocks', async () => {
    const secret: Layer<string> = {
      id: 'secret',
      stability: 'turn',
      load: async () => 'SECRET-DATA',
      render: ({ data }) => [{ text: data ?? 'none' }],
    }
    const noteNames: Layer<unknown> = {
      id: 'names',
      stability: 'turn',
      render: ({ notes }) => [{ text: `${notes?.join(' ')}` }],
    }
    const notes = Object.fromEntries([1, 2, 3, 4, 5, 6].map((index) => [`memory/2026-02-16-SECRET${index}.md`, 'x']))
    const agent = defineAgent({
      files: memoryFileSystem({ ...texts, ...notes }),
      layers: withLayers(secret as Layer<unknown>, noteNames),
      injectors: [
        {
          name: 'recall',
          inject: () => {
            throw new Error('SECRET-ERROR')
          },
        },
      ],
    })
    const snapshot = {
      ...(await loadWorkspace(agent, { now })),
      context: [{ name: 'x', tag: 'memory', text: 'SECRET-BLOCK' } as never],
    }
    for (const session of [
      { kind: 'group' },
      { kind: 'main', memory: false },
      { kind: 'subagent' },
      { kind: 'cron' },
    ] as const) {
      expect(JSON.stringify(composeSystemPrompt(snapshot, agent, { now, session }))).not.toContain('SECRET')
    }
    expect(JSON.stringify(composeSystemPrompt(snapshot, agent, { now }))).toMatch(/SECRET-DATA[\s\S]*SECRET-BLOCK/)
  })

  it('nor of what the store said when it failed', async () => {
    const files: FileSystem = {
      name: 'failing',
      read: async () => Promise.reject(new Error('MEMORY.md row 7 SECRET')),
      list: async () => ['2026-02-16-SECRET.md'],
    }
    const agent = defineAgent({ files })
    const snapshot = await loadWorkspace(agent, { now })
    expect(JSON.stringify(composeSystemPrompt(snapshot, agent, { now }))).toContain('SECRET')
    const other = composeSystemPrompt(snapshot, agent, { now, session: { kind: 'group' } })
    expect(JSON.stringify(other)).not.toContain('SECRET')
  })

  it('is not frozen or changed by composing', () => {
    const diagnostic = {
      code: 'list-failed',
      severity: 'warning',
      message: 'm',
      path: 'memory',
      data: { a: { b: 1 } },
    } as const
    const snapshot = { ...snapshotOf(texts), diagnostics: [diagnostic] }
    const prompt = composeSystemPrompt(snapshot, defineAgent({ files: memoryFileSystem() }), { now })
    expect(prompt.diagnostics[0]).toEqual(diagnostic)
    expect(Object.isFrozen(diagnostic) || Object.isFrozen(diagnostic.data.a)).toBe(false)
    expect(Object.isFrozen(prompt.diagnostics[0]?.data?.a)).toBe(true)
  })

  it.each([
    [{ documents: [null] }, 'documents[0]: expected a document, got null'],
    [{ documents: [{ path: 'SOUL.md' }] }, 'documents[0]: expected a document'],
    [{ documents: {} }, 'documents: expected an array'],
    [{ documents: [], notes: null }, 'notes: expected an array'],
    [{ documents: [], diagnostics: 5 }, 'diagnostics: expected an array'],
  ])('is refused when it is none: %j', (snapshot, message) => {
    expect(() => composeSystemPrompt(snapshot as never, defineAgent({ files: memoryFileSystem() }), { now })).toThrow(
      message,
    )
  })

  it('may be changed by hand', () => {
    const agent = defineAgent({ files: memoryFileSystem() })
    const snapshot = structuredClone(snapshotOf(texts))
    expect(composeSystemPrompt(snapshot, agent, { now }).text).toContain('Dry humour.')
    const soul = snapshot.documents.find(({ path }) => path === 'SOUL.md')
    Object.assign(soul ?? {}, { text: 'Wry humour.', length: 11 })
    expect(composeSystemPrompt(snapshot, agent, { now }).text).toContain('Wry humour.')
  })

  it('may be written by hand', () => {
    const { documents } = snapshotOf(texts)
    const prompt = composeSystemPrompt({ documents } as never, defineAgent({ files: memoryFileSystem() }), { now })
    expect(prompt.text).toContain('Dry humour.')
  })
})

describe('options that say undefined', () => {
  it('are options that say nothing', async () => {
    const prompt = await build({
      deadlines: { files: undefined },
      audience: { main: { on: { shown: undefined, read: undefined, injectors: undefined } } },
      notes: { days: undefined, perDay: undefined },
      identity: { agent: { name: undefined } },
      texts: { clock: undefined },
      toolNames: { edit: undefined },
      budget: { perFile: undefined, head: undefined },
      locale: undefined,
    })
    expect(prompt).toEqual(await build({}))
  })
})
