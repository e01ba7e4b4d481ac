import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { execute, installInto, pack, root } from './pack.js'

const minutes = 60_000

describe('the packed package', () => {
  let packed: ReturnType<typeof pack>
  let consumer: string

  beforeAll(() => {
    packed = pack()
    consumer = installInto(packed.tarball)
  }, 4 * minutes)

  const script = (text: string) => {
    writeFileSync(join(consumer, 'script.mjs'), text)
    return execute('node', ['script.mjs'], consumer)
  }

  it('holds the built code, its types, the licence and the readme, and no source', () => {
    const paths = packed.files.map((path) => path.replace(/chunk-\w+/, 'chunk').replace(/-[\w-]{8}\.d\.ts$/, '.d.ts'))
    expect([...new Set(paths)].sort()).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist/cli.js',
        'dist/index.d.ts',
        'dist/index.js',
        'dist/node.d.ts',
        'dist/node.js',
        'dist/testing.d.ts',
        'dist/testing.js',
        'dist/tokenizer.d.ts',
        'dist/tokenizer.js',
        'package.json',
      ]),
    )
    expect(
      paths.filter(
        (path) =>
          !/^(dist\/[\w-]+\.(js|d\.ts)|docs\/[\w/-]+\.md|examples\/[\w./-]+|CHANGELOG\.md|LICENSE|README\.md|package\.json)$/.test(
            path,
          ),
      ),
    ).toEqual([])
  })

  it(
    'passes publint and attw',
    () => {
      execute('npx', ['publint', '--strict', packed.tarball], root)
      execute('npx', ['attw', '--profile', 'esm-only', packed.tarball], root)
    },
    minutes,
  )

  it('builds a prompt in an empty project', () => {
    const output = script(`
      import { buildSystemPrompt, defineAgent, memoryFileSystem } from 'soulprompt'
      import { nodeFileSystem } from 'soulprompt/node'
      import { fileSystemSuite } from 'soulprompt/testing'
      const agent = defineAgent({ files: nodeFileSystem('./workspace'), base: 'You are a helper.' })
      const prompt = await buildSystemPrompt(agent)
      console.log(prompt.text.includes('Dry humour.'), typeof memoryFileSystem, typeof fileSystemSuite)
    `)
    expect(output).toBe('true function function\n')
  })

  it('can be required', () => {
    writeFileSync(join(consumer, 'script.cjs'), "console.log(typeof require('soulprompt').defineAgent)")
    expect(execute('node', ['script.cjs'], consumer)).toBe('function\n')
  })

  it('has a command', () => {
    expect(execute('npx', ['soulprompt', 'build', 'workspace'], consumer)).toContain('Dry humour.')
  })

  it('exports these names and no others', () => {
    const output = script(`
      const names = async (id) => Object.keys(await import(id)).sort()
      console.log(JSON.stringify([await names('soulprompt'), await names('soulprompt/node'), await names('soulprompt/testing'), await names('soulprompt/tokenizer')]))
    `)
    expect(JSON.parse(output)).toEqual([
      [
        'PromptError',
        'buildSystemPrompt',
        'completeBootstrap',
        'composeSystemPrompt',
        'countTokens',
        'defineAgent',
        'diffPrompts',
        'formatLayer',
        'insertAfter',
        'insertBefore',
        'keepLastGood',
        'loadWorkspace',
        'memoryFileSystem',
        'minimumCacheTokens',
        'overlayFileSystem',
        'personaLayer',
        'pickLayers',
        'pinFiles',
        'presets',
        'renderUserMessage',
        'replaceLayer',
        'resolveIdentity',
        'resolveMemory',
        'scaffoldWorkspace',
        'snapshotOf',
        'toAISDK',
        'toAnthropic',
        'toGemini',
        'toLangChain',
        'toOpenAIChat',
        'toOpenAIResponses',
        'toText',
        'truncate',
        'withoutLayer',
      ],
      ['nodeFileSystem'],
      ['everyFault', 'faultyFileSystem', 'fileSystemSuite'],
      ['gptTokenCounter'],
    ])
  })

  it('loads neither gray-matter nor anything else that a turn may never need', () => {
    const output = script(
      `
      import { createRequire, registerHooks } from 'node:module'
      import 'soulprompt'
      import 'soulprompt/node'
      const loaded = Object.keys(createRequire(import.meta.url).cache)
      console.log(JSON.stringify(loaded.filter((path) => /gray-matter|gpt-tokenizer|chokidar|js-yaml/.test(path))))
    `.replace(', registerHooks', ''),
    )
    expect(JSON.parse(output)).toEqual([])
  })

  it(
    'compiles in a strict TypeScript project, and refuses what it should',
    () => {
      writeFileSync(
        join(consumer, 'good.ts'),
        `import { buildSystemPrompt, defineAgent, type Layer, type SystemPrompt } from 'soulprompt'
       import { nodeFileSystem } from 'soulprompt/node'
       const mood: Layer<string> = { id: 'mood', stability: 'turn', load: async () => 'fine', render: ({ data }) => [{ text: data ?? '' }] }
       const agent = defineAgent({ files: nodeFileSystem('.'), layers: [mood] })
       export const prompt: Promise<SystemPrompt> = buildSystemPrompt(agent, { session: { kind: 'main' } })
       // @ts-expect-error no such kind of session
       buildSystemPrompt(agent, { session: { kind: 'party' } })
       // @ts-expect-error files is required
       defineAgent({})
       // @ts-expect-error results are readonly
       prompt.then((result) => { result.text = '' })`,
      )
      const compilerOptions = {
        noEmit: true,
        strict: true,
        module: 'nodenext',
        target: 'es2022',
        skipLibCheck: false,
        types: [],
      }
      writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['good.ts'] }))
      execute(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], consumer)
    },
    minutes,
  )
})
