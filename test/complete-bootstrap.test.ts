import {
  buildSystemPrompt,
  completeBootstrap,
  defineAgent,
  memoryFileSystem,
  type PromptError,
  personaLayer,
  presets,
  replaceLayer,
  withoutLayer,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'

const texts = { 'SOUL.md': 'Dry.', 'BOOTSTRAP.md': 'Introduce yourself.' }
const record = '.soulprompt/bootstrap.json'

async function shows(agent: ReturnType<typeof defineAgent>): Promise<boolean> {
  return (await buildSystemPrompt(agent)).text.includes('Introduce yourself.')
}

describe('completeBootstrap', () => {
  it('ends the first meeting for good, whatever the files say', async () => {
    const files = memoryFileSystem(texts)
    const agent = defineAgent({ files })
    expect(await shows(agent)).toBe(true)
    await completeBootstrap(agent, { now: new Date('2026-02-16T09:30:00Z') })
    expect(await shows(agent)).toBe(false)
    expect(await files.read([record])).toMatchObject([{ text: '{"completed":true,"at":"2026-02-16T09:30:00.000Z"}\n' }])
    await files.remove(record)
    expect(await shows(agent)).toBe(true)
  })

  it('changes nothing the second time', async () => {
    const files = memoryFileSystem(texts)
    const agent = defineAgent({ files })
    await completeBootstrap(agent)
    const [first] = await files.read([record])
    await Promise.all([completeBootstrap(agent, { now: new Date() }), completeBootstrap(agent)])
    expect(await files.read([record])).toEqual([first])
    expect(first).toMatchObject({ text: '{"completed":true}\n' })
  })

  it('says what the store cannot do, and what it failed at', async () => {
    const { read, name } = memoryFileSystem(texts)
    const failure = async (write?: () => Promise<never>) => {
      const agent = defineAgent({ files: { name, read, ...(write && { write }) } })
      return completeBootstrap(agent).then(
        () => undefined,
        ({ code, message }: PromptError) => `${code}: ${message}`,
      )
    }
    expect(await failure()).toBe(
      'capability-missing: memory cannot write, so the end of the first meeting cannot be recorded in .soulprompt/bootstrap.json.',
    )
    expect(await failure(async () => Promise.reject(new Error('disk full')))).toBe(
      'io: The end of the first meeting could not be recorded in .soulprompt/bootstrap.json: disk full.',
    )
    const agent = defineAgent({ files: memoryFileSystem() })
    await expect(completeBootstrap(agent, { now: new Date(Number.NaN) })).rejects.toThrow('now: expected a valid Date')
    await expect(completeBootstrap({} as never)).rejects.toMatchObject({ code: 'invalid-options' })
  })
})

describe('a new workspace', () => {
  it('is not one where somebody is known, whatever the layout shows', async () => {
    const met = { 'BOOTSTRAP.md': 'Introduce yourself.', 'IDENTITY.md': '- **Name:** Ines', 'p.md': 'Persona.' }
    const user = {
      'BOOTSTRAP.md': 'Introduce yourself.',
      'USER.md': 'She looks after the clocks of the station. '.repeat(5),
    }
    const agents = [
      defineAgent({ files: memoryFileSystem(met) }),
      defineAgent({
        files: memoryFileSystem(met),
        layers: replaceLayer(presets.default.layers, 'persona', personaLayer('p.md')),
      }),
      defineAgent({
        files: memoryFileSystem(met),
        documents: (all) => all.filter(({ path }) => path !== 'IDENTITY.md'),
      }),
      defineAgent({ files: memoryFileSystem(user), layers: withoutLayer(presets.default.layers, 'user') }),
    ]
    for (const agent of agents) expect(await shows(agent)).toBe(false)
  })
})

describe('the record', () => {
  it('is read with the other files, for the main session with memory alone, and never shown or listed', async () => {
    const files = memoryFileSystem({ ...texts, [record]: 'CANARY' })
    const asked: string[][] = []
    const read = (paths: readonly string[]) => {
      asked.push([...paths])
      return files.read(paths)
    }
    const watched = { ...files, read }
    const agent = defineAgent({ files: watched })
    const prompt = await buildSystemPrompt(agent)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain(record)
    expect(JSON.stringify(prompt)).not.toMatch(/CANARY|soulprompt\/bootstrap/)
    for (const session of [{ kind: 'group' }, { memory: false }, { kind: 'heartbeat' }] as const) {
      asked.length = 0
      await buildSystemPrompt(agent, { session })
      expect(asked.flat()).not.toContain(record)
    }
  })

  it('counts as one even if it cannot be read, and that is said', async () => {
    const files = memoryFileSystem(texts)
    const failing = {
      ...files,
      read: async (paths: readonly string[]) =>
        (await files.read(paths)).map((reading) =>
          reading.path === record ? ({ state: 'unreadable', path: record, reason: 'permission' } as const) : reading,
        ),
    }
    const prompt = await buildSystemPrompt(defineAgent({ files: failing }))
    expect(prompt.text).not.toContain('Introduce yourself.')
    expect(prompt.diagnostics).toMatchObject([{ code: 'file-unreadable', path: record }])
  })

  it('does not make an empty workspace look like one with files', async () => {
    const files = memoryFileSystem({ [record]: '{}' })
    const { diagnostics, text } = await buildSystemPrompt(defineAgent({ files }))
    expect(diagnostics.map(({ code }) => code)).toEqual(['workspace-empty'])
    expect(text).not.toContain('already loaded')
  })
})
