import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from './package/pack.js'

const temporary = join(root, 'test/.tmp')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

interface Block {
  readonly name: string
  readonly file: string
  readonly code: string
}

const blocks: readonly Block[] = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match, index) => ({
    name: `${page} block ${index + 1}`,
    file: join(temporary, `${page.replace(/\W/g, '-')}-${index + 1}.ts`),
    code: match[1] ?? '',
  })),
)

/** What the comments say is printed: behind a console.log on its line, or on the lines after it. */
function expectedOutput(code: string): string {
  const printed = [...code.matchAll(/console\.log\(.*\)(?: \/\/ (.*)|((?:\n\/\/.*)+))/g)]
  return printed.map((match) => match[1] ?? match[2]?.replace(/^\/\/ ?/gm, '').trim() ?? '').join('\n')
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

describe('the blocks of the docs', () => {
  beforeAll(() => {
    mkdirSync(temporary, { recursive: true })
    for (const { file, code } of blocks) writeFileSync(file, `${code}\nexport {}\n`)
  })
  afterAll(() => rmSync(temporary, { recursive: true }))

  it('are there', () => {
    expect(blocks.length).toBeGreaterThan(6)
  })

  it('compile', () => {
    const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(
      { ...config.config, include: [], files: blocks.map(({ file }) => file) },
      ts.sys,
      root,
    )
    const program = ts.createProgram(
      blocks.map(({ file }) => file),
      { ...options, noUnusedLocals: false },
    )
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map((problem) => `${problem.file?.fileName}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`)
    expect(problems).toEqual([])
  }, 60_000)

  it.each(blocks.map((block) => [block.name, block] as const))(
    'run and print what they say: %s',
    async (_, { file, code }) => {
      const lines: string[] = []
      const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
        lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
      })
      try {
        await import(file)
      } finally {
        log.mockRestore()
      }
      expect(flat(lines.join('\n'))).toBe(flat(expectedOutput(code)))
    },
  )
})

describe('the readme', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')

  it('gives two commands at its top that exist', () => {
    const commands = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    expect(commands).toMatch(/^npm ci && npm start .*\nnpm ci && npm test .*\n$/)
  })

  it('links to pages that exist', () => {
    const links = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(((?!https?:)[^)#]+)/g)].map((match) =>
        join(root, page, '..', match[1] ?? ''),
      ),
    )
    for (const link of links) expect(() => readdirSync(link.replace(/[^/]*\.md$/, ''))).not.toThrow()
    for (const link of links.filter((path) => path.endsWith('.md'))) expect(() => readFileSync(link)).not.toThrow()
  })
})
