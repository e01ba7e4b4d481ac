import {
  type AgentOptions,
  type DocumentSpec,
  defineAgent,
  insertAfter,
  insertBefore,
  memoryFileSystem,
  PromptError,
  presets,
  replaceLayer,
  resolveMemory,
  withoutLayer,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'

const files = memoryFileSystem({})

function faultsOf(options: Record<string, unknown>): string {
  try {
    defineAgent({ files, ...options } as AgentOptions)
  } catch (error) {
    expect(error).toBeInstanceOf(PromptError)
    expect((error as PromptError).code).toBe('invalid-options')
    return (error as PromptError).message
  }
  throw new Error('expected defineAgent to throw')
}

describe('defineAgent', () => {
  it.each([
    [
      { files: undefined },
      'files: expected a file system (an object with read), such as nodeFileSystem(folder), got undefined',
    ],
    [{ bugdet: {} }, 'unknown option bugdet'],
    [{ budget: { perFile: -1 } }, 'budget.perFile'],
    [{ budget: { perFile: Number.NaN } }, 'budget.perFile'],
    [{ budget: { head: 1.2 } }, 'budget.head'],
    [{ budget: { head: 0.9, tail: 0.2 } }, 'budget: expected head + tail of at most 1, got 0.9 + 0.2'],
    [{ budget: { head: 0.9 } }, 'got 0.9 + 0.2'],
    [{ budget: { reserve: 2 } }, 'budget.reserve: expected at most 1, got 2'],
    [{ budget: { total: { chars: 0 } } }, 'budget.total.chars: expected a whole number from 1 on, got 0'],
    [{ budget: { total: { tokens: '6000' } } }, 'budget.total.tokens: expected a whole number from 1 on, got "6000"'],
    [{ budget: { total: {} } }, 'budget.total: expected either chars or tokens, got neither'],
    [{ budget: { total: { chars: 5, tokens: 5 } } }, 'budget.total: expected either chars or tokens, got both'],
    [{ budget: { total: { token: 6 } } }, 'budget.total: unknown option token'],
    [
      { budget: { total: { chars: 5, counter: { name: 'mine', count: () => 1 } } } },
      'budget.total.counter: expected none with chars, which need no counter',
    ],
    [
      { budget: { total: { tokens: 5, counter: Promise.resolve() } } },
      'budget.total.counter: expected a token counter and no promise of one: await it, got an object',
    ],
    [{ budget: { perFile: { 'A.md': { max: 5, minimum: 9 } } } }, 'minimum: expected at most max, 5, got 9'],
    [{ tools: { read: {} } }, 'tools: expected an array of tools or a registry, an object with list(), got an object'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone: expected an IANA time zone such as Asia/Shanghai, got "Mars/Olympus"'],
    [{ locale: 'fr' }, 'locale'],
    [{ base: 42 }, 'base'],
    [{ base: { path: '../outside.md' } }, 'base'],
    [{ notes: { days: 15 } }, 'notes'],
    [{ notes: { days: 0 } }, 'notes'],
    [{ deadlines: { files: -5 } }, 'deadlines.files'],
    [
      { texts: { headingUser: 'no heading' } },
      'texts.headingUser: expected a Markdown heading of one line, got "no heading"',
    ],
    [{ texts: { nonsense: 'x' } }, 'texts.nonsense: there is no text of that name'],
    [{ layers: [] }, 'layers'],
    [{ layers: [{ id: 'x' }] }, 'layers[0].render: expected a function, got undefined'],
    [
      { layers: [...presets.default.layers, presets.default.layers[0]] },
      'expected an id of its own, got "safety" again',
    ],
    [{ documents: () => 'none' }, 'documents: expected an array of files, got "none"'],
    [
      {
        documents: () => {
          throw new Error('kaput')
        },
      },
      'documents: threw: kaput',
    ],
    [{ documents: () => [{ path: 'X.md', layer: 'nowhere' }] }, 'documents X.md: expected a layer of safety, base'],
    [
      { documents: () => [{ path: '/etc/passwd', layer: 'user' }] },
      'documents()[0]: path: expected a path inside the workspace',
    ],
    [
      { documents: (all: DocumentSpec[]) => [...all, { path: './USER.md', layer: 'user' }] },
      'documents ./USER.md: the path is there twice',
    ],
    [{ injectors: [{ name: 'x' }] }, 'injectors[0].inject: expected a function, got undefined'],
    [{ injectors: [{ name: 'x', tag: 'a]b', inject: () => '' }] }, 'injectors[0]'],
    [{ tools: [{ name: 'two\nlines' }] }, 'tools'],
    [{ audience: { party: {} } }, 'audience'],
    [{ logger: {} }, 'logger.warn: expected a function, got undefined'],
    [{ identity: { agent: { name: '' } } }, 'identity.agent.name'],
  ])('refuses %j', (options, message) => {
    expect(faultsOf(options)).toContain(message)
  })

  it('names every fault at once', () => {
    const message = faultsOf({ locale: 'fr', timeZone: 'x', memory: 'yes' })
    expect(message).toMatch(
      /^defineAgent: 3 problems\n- locale: .*got "fr"\n- timeZone: .*\n- memory: .*got "yes"$|^defineAgent: 3 problems/,
    )
    for (const name of ['locale', 'timeZone', 'memory']) expect(message).toContain(`- ${name}: `)
  })

  it('freezes its own copy and never what the host passed in', () => {
    const tool = { name: 'read', description: 'old' }
    const options = {
      files,
      tools: [tool],
      budget: { perFile: { 'SOUL.md': { max: 5 } } },
      identity: { agent: { name: 'Nova' } },
    }
    const agent = defineAgent(options)
    expect(Object.isFrozen(options) || Object.isFrozen(tool) || Object.isFrozen(options.budget.perFile)).toBe(false)
    tool.description = 'new'
    options.budget.perFile['SOUL.md'].max = 6
    options.identity.agent.name = 'Other'
    expect(agent.tools).toEqual([{ name: 'read', description: 'old' }])
    expect(agent.budget.files).toEqual({ 'SOUL.md': { max: 5 } })
    expect(agent.identity.agent.name).toBe('Nova')
    expect(Object.isFrozen(agent) && Object.isFrozen(agent.layers) && Object.isFrozen(agent.documents)).toBe(true)
  })

  it('merges a preset field by field under the host’s options', () => {
    const agent = defineAgent({ files, preset: presets.workspace, budget: { head: 0.5, perFile: { 'SOUL.md': 10 } } })
    const caps = { perFile: 65_536, files: { 'SOUL.md': 10 }, head: 0.5, tail: 0.2, shares: {} }
    expect(agent.budget).toEqual({ ...caps, total: undefined, reserve: 0.15 })
    const persona = defineAgent({ files, preset: presets.persona, budget: { shares: { other: 5 } } })
    expect(persona.budget.shares).toEqual({ persona: 1_500, other: 5 })
    const companion = defineAgent({ files, preset: presets.companion, delimiter: 'tag' })
    expect(companion).toMatchObject({ delimiter: 'tag', safety: false, notes: false })
  })

  it('takes layers, injectors and tools that are instances of classes', () => {
    class Mood {
      readonly id = 'mood'
      readonly stability = 'turn' as const
      #text = 'Cheerful.'
      render() {
        return [{ text: this.#text }]
      }
    }
    const agent = defineAgent({ files, layers: [new Mood()] })
    expect(agent.layers[0]?.render({} as never)).toEqual([{ text: 'Cheerful.' }])
  })
})

describe('the layer helpers', () => {
  const layers = presets.companion.layers
  const mood = { id: 'mood', stability: 'turn' as const, render: () => [] }
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join(' ')

  it('give new lists', () => {
    expect(ids(insertBefore(layers, 'user', mood))).toContain('persona mood user')
    expect(ids(insertAfter(layers, 'user', mood))).toContain('user mood preferences')
    expect(ids(replaceLayer(layers, 'user', mood))).toContain('persona mood preferences')
    expect(ids(withoutLayer(layers, 'user'))).toContain('persona preferences')
    expect(ids(layers)).not.toContain('mood')
  })

  it('refuse an id that is not there', () => {
    expect(() => withoutLayer(layers, 'usr')).toThrow('layers: expected one of safety, base, identity')
    expect(() => withoutLayer(presets.companion as never, 'user')).toThrow(
      'layers: expected a list of layers, such as presets.default.layers, got an object.',
    )
  })
})

describe('resolveMemory', () => {
  it.each([
    [{}, true],
    [{ default: false }, false],
    [{ frozen: true, default: false }, true],
    [{ explicit: false, frozen: true, default: true }, false],
    [{ explicit: undefined, frozen: false }, false],
  ])('%j → %s', (from, expected) => {
    expect(resolveMemory(from)).toBe(expected)
  })
})
