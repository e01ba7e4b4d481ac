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
  snapshotOf,
} from 'soulprompt'
import { describe, expect, it, vi } from 'vitest'

const now = new Date('2026-02-16T09:30:00Z')
const workspace = {
  'AGENTS.md': 'Be kind.',
  'SOUL.md': 'Dry humour.',
  'IDENTITY.md': '- **Name:** Momo',
  'USER.md':
    'Her name is Ines. She repairs clocks in a small town by the sea and likes short answers with one idea each.',
  'MEMORY.md': 'The blue clock stops at noon.',
  'TOOLS.md': 'The bench lamp is called sun.',
  'HEARTBEAT.md': '- look at the clocks',
  'BOOT.md': '- wind the clocks',
  'memory/2026-02-16.md': 'Wound the blue clock.',
  'memory/2026-02-15.md': 'Found a spring.',
}

function agentOf(options: Partial<AgentOptions> = {}) {
  return defineAgent({ files: memoryFileSystem(workspace), base: 'You are a helper.', ...options })
}

const states = (prompt: Awaited<ReturnType<typeof buildSystemPrompt>>) =>
  Object.fromEntries(prompt.sources.map(({ path, state }) => [path, state]))

describe('buildSystemPrompt', () => {
  it('reads anew on every turn', async () => {
    const files = memoryFileSystem(workspace)
    const agent = agentOf({ files })
    expect((await buildSystemPrompt(agent, { now })).text).toContain('Dry humour.')
    await files.write?.('SOUL.md', 'Wry humour.')
    expect((await buildSystemPrompt(agent, { now })).text).toContain('Wry humour.')
    await files.remove?.('SOUL.md')
    expect(states(await buildSystemPrompt(agent, { now }))['SOUL.md']).toBe('missing')
  })

  it('gives sections that concatenate to the text and start plainly', async () => {
    const prompt = await buildSystemPrompt(agentOf({ base: '/no_think', rules: '  Be short.\n\n' }), {
      now,
      hints: ['one'],
    })
    expect(prompt.sections.map((section) => section.text).join('')).toBe(prompt.text)
    expect(prompt.chars).toBe(prompt.text.length)
    for (const section of prompt.sections) {
      expect(section.text).toMatch(/^[^\s/]/)
      expect(section.text).toMatch(/[^\n]\n\n$/)
      expect(section.chars).toBe(section.text.length)
    }
  })

  it('gives frozen plain data', async () => {
    const prompt = await buildSystemPrompt(agentOf(), { now })
    expect(structuredClone(prompt)).toEqual(prompt)
    for (const part of [
      prompt,
      prompt.sections,
      prompt.sections[0],
      prompt.sources,
      prompt.sources[0],
      prompt.diagnostics,
    ]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it('never falls back in stability in the default order', async () => {
    const prompt = await buildSystemPrompt(agentOf({ tools: [{ name: 'read' }], rules: 'Be short.' }), {
      now,
      session: { kind: 'heartbeat' },
      hints: ['one'],
    })
    const ranks = prompt.sections.map(({ stability }) => ['static', 'workspace', 'session', 'turn'].indexOf(stability))
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
    expect(new Set(ranks).size).toBe(4)
  })

  it('gives one byte sequence over 1,000 parallel builds, whatever the order of files', async () => {
    const agents = [
      agentOf(),
      agentOf({ files: memoryFileSystem(Object.fromEntries(Object.entries(workspace).reverse())) }),
    ]
    const tools = [{ name: 'write' }, { name: 'read' }, { name: 'edit' }]
    const builds = Array.from({ length: 1_000 }, (_, index) =>
      buildSystemPrompt(agents[index % 2] as (typeof agents)[0], {
        now,
        tools: index % 3 === 0 ? tools : [...tools].reverse(),
      }),
    )
    expect(
      new Set((await Promise.all(builds)).map((prompt) => JSON.stringify([prompt.text, prompt.fingerprint]))).size,
    ).toBe(1)
  })

  it('gives the same as loading and composing apart', async () => {
    const agent = agentOf()
    const snapshot = await loadWorkspace(agent, { now })
    expect(composeSystemPrompt(snapshot, agent, { now })).toEqual(await buildSystemPrompt(agent, { now }))
  })

  it('leaves out what the turn may not show, whatever the snapshot holds', () => {
    const agent = agentOf()
    const snapshot = {
      ...snapshotOf(workspace),
      context: [{ name: 'x', tag: 'memory', text: 'secret', private: true }],
    }
    const prompt = composeSystemPrompt(snapshot, agent, { now, session: { kind: 'group', memory: false } })
    for (const secret of ['Ines', 'blue clock', 'Found a spring']) expect(prompt.text).not.toContain(secret)
    expect(prompt.context).toEqual([])
    expect(states(prompt)).toMatchObject({ 'USER.md': 'filtered', 'MEMORY.md': 'filtered', 'SOUL.md': 'included' })
  })

  it('takes the current time where a turn names none, and only there', async () => {
    vi.useFakeTimers({ now: new Date('2031-05-06T12:00:00Z'), toFake: ['Date'] })
    try {
      expect((await buildSystemPrompt(agentOf())).text).toContain('2031-05-06')
      expect(composeSystemPrompt(snapshotOf(workspace), agentOf()).sections.map(({ id }) => id)).not.toContain('clock')
    } finally {
      vi.useRealTimers()
    }
  })

  it('makes one list and one read a turn, and touches nothing it may not see', async () => {
    const calls: unknown[] = []
    const inner = memoryFileSystem(workspace)
    const files: FileSystem = {
      name: 'spy',
      read: (paths) => {
        calls.push(paths)
        return inner.read(paths)
      },
      list: async (directory) => {
        calls.push(directory)
        return (await inner.list?.(directory)) ?? []
      },
    }
    await buildSystemPrompt(agentOf({ files }), { now })
    expect(calls).toHaveLength(2)
    expect(calls[0]).toBe('memory')
    expect(calls[1]).toEqual(
      expect.arrayContaining(['MEMORY.md', 'memory.md', 'memory/2026-02-15.md', 'memory/2026-02-16.md']),
    )
    expect(calls[1]).not.toEqual(expect.arrayContaining(['HEARTBEAT.md']))

    calls.length = 0
    const off = await buildSystemPrompt(agentOf({ files }), { now, session: { memory: false } })
    expect(calls).toEqual([['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'TOOLS.md']])
    expect(off.memory).toBe(false)
    expect(off.text).not.toMatch(/USER\.md|MEMORY\.md|Ines|blue clock/)
  })

  it('tells the logger, and survives one that throws', async () => {
    const warned: string[] = []
    const logger = { info: () => {}, warn: (message: string) => warned.push(message) }
    const files = memoryFileSystem({ ...workspace, 'SOUL.md': 'x'.repeat(20_001) })
    await buildSystemPrompt(agentOf({ files, logger }), { now })
    expect(warned).toEqual(['SOUL.md has 20001 chars and a cap of 20000: the first 14000 and the last 4000 are shown.'])
    const broken = {
      info: () => {},
      warn: () => {
        throw new Error('full disk')
      },
    }
    await expect(buildSystemPrompt(agentOf({ files, logger: broken }), { now })).resolves.toBeDefined()
  })
})

describe('bad input', () => {
  it('says that an empty workspace is empty', async () => {
    const prompt = await buildSystemPrompt(agentOf({ files: memoryFileSystem({}) }), { now })
    expect(prompt.diagnostics.map(({ code }) => code)).toEqual(['workspace-empty'])
    expect(prompt.text).toContain('You are a helper.')
    expect(prompt.text).toContain('You have no persona yet.')
  })

  it('gives neither content nor guidance for an unreadable file, and one warning', async () => {
    const files: FileSystem = {
      name: 'half',
      read: async (paths) =>
        paths.map((path) =>
          path === 'SOUL.md' ? { state: 'unreadable', path, reason: 'not-a-file' } : { state: 'missing', path },
        ),
    }
    const prompt = await buildSystemPrompt(agentOf({ files, preset: presets.companion }), { now })
    expect(prompt.text).not.toContain('Persona')
    expect(prompt.diagnostics.filter(({ path }) => path === 'SOUL.md')).toHaveLength(1)
    expect(states(prompt)['SOUL.md']).toBe('unreadable')
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('no route to host'))],
    [
      'throws',
      () => {
        throw new Error('no route to host')
      },
    ],
    ['gives no list', async () => 'nonsense' as never],
  ])('builds without files when the store %s', async (_, read) => {
    const prompt = await buildSystemPrompt(agentOf({ files: { name: 'remote', read } }), { now })
    expect(prompt.text).toContain('You are a helper.')
    expect(prompt.diagnostics.find(({ code }) => code === 'files-failed')?.message).toContain('remote')
    expect(new Set(prompt.sources.filter(({ state }) => state !== 'filtered').map(({ state }) => state))).toEqual(
      new Set(['unreadable']),
    )
  })

  it('fills in for answers that are missing or out of order', async () => {
    const inner = memoryFileSystem(workspace)
    const files: FileSystem = {
      name: 'odd',
      read: async (paths) => [...(await inner.read(paths))].reverse().filter(({ path }) => path !== 'USER.md'),
    }
    const prompt = await buildSystemPrompt(agentOf({ files }), { now })
    expect(states(prompt)).toMatchObject({ 'SOUL.md': 'included', 'USER.md': 'unreadable' })
  })

  it('goes on with plain note names when listing fails', async () => {
    const inner = memoryFileSystem(workspace)
    const files: FileSystem = { ...inner, list: () => Promise.reject(new Error('denied')) }
    const prompt = await buildSystemPrompt(agentOf({ files }), { now })
    expect(prompt.diagnostics.map(({ code }) => code)).toEqual(['list-failed'])
    expect(prompt.text).toContain('Wound the blue clock.')
  })

  it('does not wait for a store or a layer that never answers', async () => {
    const never = () => new Promise<never>(() => {})
    const layer: Layer<string> = {
      id: 'slow',
      stability: 'turn',
      load: never,
      render: ({ data }) => [{ text: data ?? 'no data' }],
    }
    const agent = agentOf({
      files: { name: 'stalled', read: never },
      layers: insertBefore(presets.default.layers, 'hints', layer as Layer<unknown>),
      injectors: [{ name: 'recall', inject: never }],
      deadlines: { files: 20, injector: 20 },
    })
    const prompt = await buildSystemPrompt(agent, { now })
    expect(prompt.diagnostics.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['files-failed', 'load-failed', 'injector-failed']),
    )
    expect(prompt.text).toContain('no data')
    expect(states(prompt)['SOUL.md']).toBe('unreadable')
  })

  it('rejects with the reason of an aborted signal, before and during the loading', async () => {
    const reason = new Error('the user left')
    await expect(buildSystemPrompt(agentOf(), { now, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const stalled = agentOf({ files: { name: 'stalled', read: () => new Promise(() => {}) } })
    const build = buildSystemPrompt(stalled, { now, signal: controller.signal })
    setTimeout(() => controller.abort(reason), 5)
    await expect(build).rejects.toBe(reason)
  })

  it.each(['render', 'documents', 'load'] as const)(
    'reports a layer whose %s throws and keeps the rest',
    async (method) => {
      const layer: Layer<unknown> = {
        id: 'broken',
        stability: 'turn',
        render: () => [{ text: 'alive' }],
        [method]: () => {
          throw new Error('kaput')
        },
      }
      const layers = insertBefore(presets.default.layers, 'hints', layer)
      const prompt = await buildSystemPrompt(agentOf({ layers }), { now })
      expect(prompt.diagnostics.map(({ section }) => section)).toEqual(['broken'])
      expect(prompt.diagnostics[0]?.message).toContain('kaput')
      expect(prompt.text).toContain('Dry humour.')
      await expect(buildSystemPrompt(agentOf({ layers, onLayerError: 'throw' }), { now })).rejects.toMatchObject({
        code: 'layer-failed',
      })
    },
  )

  it.each([
    [{ text: 42 }, 'text of a section'],
    [{ headings: ['no heading'], text: 'x' }, 'headings of a section'],
    [{ headings: ['# a\n# b'], text: 'x' }, 'headings of a section'],
    ['not a draft', 'sections'],
  ])('reports a layer that drafts %j', async (draft, message) => {
    const layer = { id: 'odd', stability: 'turn', render: () => (typeof draft === 'string' ? draft : [draft]) }
    const layers = insertBefore(presets.default.layers, 'hints', layer as never)
    const prompt = await buildSystemPrompt(agentOf({ layers }), { now })
    expect(prompt.diagnostics.map(({ code }) => code)).toEqual(['layer-failed'])
    expect(prompt.diagnostics[0]?.message).toContain(message)
  })

  it('does without tools when the registry throws, and says which of two equal names it took', async () => {
    const broken = {
      list: () => {
        throw new Error('registry down')
      },
    }
    const prompt = await buildSystemPrompt(agentOf({ tools: broken }), { now })
    expect(prompt.diagnostics.map(({ code }) => code)).toEqual(['tools-failed'])
    const twice = [
      { name: 'read', description: 'old' },
      { name: 'read', description: 'new' },
    ]
    const second = await buildSystemPrompt(agentOf(), { now, tools: twice })
    expect(second.text).toContain('- read: new')
    expect(second.diagnostics.map(({ code }) => code)).toEqual(['tool-duplicate'])
  })

  it.each([
    [{ session: { kind: 'party' } }, 'session.kind'],
    [{ now: new Date('nonsense') }, 'now: expected a valid Date, got an invalid Date'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone: expected an IANA time zone'],
    [{ hints: 'one' }, 'hints: '],
    [{ nwo: now }, 'unknown option nwo'],
    [{ detail: 'some' }, 'detail: '],
  ])('refuses the turn %j', async (turn, message) => {
    await expect(buildSystemPrompt(agentOf(), turn as never)).rejects.toMatchObject({ code: 'invalid-options' })
    await expect(buildSystemPrompt(agentOf(), turn as never)).rejects.toThrow(message)
  })

  it('refuses what is no agent and no snapshot', async () => {
    await expect(buildSystemPrompt({ files: memoryFileSystem({}) } as never)).rejects.toThrow(
      'expected what defineAgent returned',
    )
    expect(() => composeSystemPrompt(undefined as never, agentOf())).toThrow(
      'snapshot: documents: expected an array, as loadWorkspace and snapshotOf give, got undefined',
    )
  })
})

describe('a base file', () => {
  it('stands bare and whole at the top, and is never taken twice', async () => {
    const files = memoryFileSystem({ ...workspace, 'SYSTEM_PROMPT.md': '---\nv: 1\n---\nYou are the bench. `<file>`' })
    const prompt = await buildSystemPrompt(agentOf({ files, base: { path: './SYSTEM_PROMPT.md' }, safety: false }), {
      now,
      session: { kind: 'subagent', memory: false },
    })
    expect(prompt.text.startsWith('You are the bench. `<file>`\n\n')).toBe(true)
    expect(prompt.sections[0]).toMatchObject({ id: 'base/SYSTEM_PROMPT.md', stability: 'static' })

    const soul = await buildSystemPrompt(agentOf({ base: { path: 'SOUL.md' } }), { now })
    expect(soul.text.match(/Dry humour\./g)).toHaveLength(1)
    expect(soul.diagnostics.map(({ code }) => code)).toEqual(['file-duplicate'])
  })

  it('is an error over its cap, and when it is missing', async () => {
    const files = memoryFileSystem({ 'BASE.md': 'x'.repeat(101) })
    const long = agentOf({ files, base: { path: 'BASE.md' }, budget: { perFile: 100 } })
    await expect(buildSystemPrompt(long, { now })).rejects.toMatchObject({
      code: 'budget-too-small',
      message: expect.stringContaining('expected at most 100 chars, it has 101'),
    })
    const missing = agentOf({ files, base: { path: 'NONE.md' } })
    await expect(buildSystemPrompt(missing, { now })).rejects.toMatchObject({
      code: 'layer-failed',
      message: expect.stringContaining('NONE.md is missing'),
    })
  })
})
