import {
  type Agent,
  type AgentOptions,
  buildSystemPrompt,
  composeSystemPrompt,
  defineAgent,
  type FileSystem,
  insertAfter,
  type Layer,
  loadWorkspace,
  memoryFileSystem,
  type PromptError,
  type PromptErrorCode,
  presets,
  type Section,
  type SystemPrompt,
  snapshotOf,
  type Texts,
  type Turn,
  type WorkspaceSnapshot,
} from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'
import { fileSystemSuite } from 'soulprompt/testing'
import { describe, expectTypeOf, it } from 'vitest'

// Checked by the compiler: `npm run types`.
describe('the public types', () => {
  it('say what goes in and what comes out', () => {
    expectTypeOf(defineAgent).parameters.toEqualTypeOf<[AgentOptions]>()
    expectTypeOf(defineAgent).returns.toEqualTypeOf<Agent>()
    expectTypeOf(buildSystemPrompt).returns.toEqualTypeOf<Promise<SystemPrompt>>()
    expectTypeOf(composeSystemPrompt).returns.toEqualTypeOf<SystemPrompt>()
    expectTypeOf(loadWorkspace).returns.toEqualTypeOf<Promise<WorkspaceSnapshot>>()
    expectTypeOf(snapshotOf).returns.toEqualTypeOf<WorkspaceSnapshot>()
    expectTypeOf<SystemPrompt['sections']>().toEqualTypeOf<readonly Section[]>()
    expectTypeOf<PromptError['code']>().toEqualTypeOf<PromptErrorCode>()
    expectTypeOf(memoryFileSystem({})).toExtend<FileSystem>()
    expectTypeOf(nodeFileSystem('.')).toExtend<FileSystem>()
    expectTypeOf(fileSystemSuite).returns.toExtend<readonly { readonly name: string; run(): Promise<void> }[]>()
  })

  it('let a layer carry data of its own, and lists of layers hold any', () => {
    const layer: Layer<number> = {
      id: 'count',
      stability: 'turn',
      load: async () => 1,
      render: ({ data }) => [{ text: `${data}` }],
    }
    expectTypeOf(insertAfter(presets.default.layers, 'clock', layer)).toEqualTypeOf<readonly Layer<unknown>[]>()
    expectTypeOf<AgentOptions['layers']>().toEqualTypeOf<readonly Layer<unknown>[] | undefined>()
  })

  it('refuse what the library would refuse', () => {
    const turn: Turn = {
      session: {
        // @ts-expect-error no such kind
        kind: 'party',
      },
    }
    const options: Partial<AgentOptions> = {
      // @ts-expect-error no such option
      bugdet: {},
    }
    const texts: Partial<Texts> = {
      // @ts-expect-error no such text
      nonsense: '',
    }
    const text = (prompt: SystemPrompt) => {
      // @ts-expect-error results are readonly
      prompt.text = ''
    }
    void [turn, options, texts, text]
  })
})
