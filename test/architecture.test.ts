import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** Who may import whom. A room is a folder of src/, or `root` for the files directly in it. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  ports: [],
  markdown: [],
  texts: ['ports'],
  workspace: ['ports', 'root'],
  context: ['ports', 'workspace', 'root'],
  layers: ['ports', 'texts', 'workspace', 'root'],
  budget: ['ports', 'markdown', 'texts', 'workspace', 'layers', 'root'],
  render: ['ports', 'markdown', 'workspace', 'layers', 'budget', 'root'],
  options: ['ports', 'texts', 'workspace', 'layers', 'budget', 'root'],
  scaffold: ['ports', 'workspace', 'root'],
  root: ['ports', 'texts', 'workspace', 'context', 'layers', 'budget', 'render', 'options', 'scaffold'],
  adapters: ['ports', 'workspace', 'root'],
  cli: ['ports', 'texts', 'workspace', 'layers', 'render', 'options', 'scaffold', 'root', 'adapters'],
}

/** The files of the root that every room may lean on, and what each leans on in turn. */
const foundation: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'plain-data.ts': [],
  'diagnostics.ts': ['ports'],
  'validation.ts': ['errors.ts', 'diagnostics.ts'],
}

/** Packages by the room that may import them. */
const packages: Readonly<Record<string, readonly string[]>> = {
  zod: ['root', 'options', 'budget', 'scaffold'],
  'gray-matter': ['workspace'],
  chokidar: ['adapters'],
  'gpt-tokenizer': ['adapters'],
}

interface Import {
  readonly from: string
  readonly to: string
  readonly dynamic: boolean
  readonly typeOnly: boolean
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.split(sep).join('/'))
const imports = files.flatMap((from) => importsOf(from))

function importsOf(from: string): readonly Import[] {
  const text = readFileSync(join(src, from), 'utf8')
  const statics = [...text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'([^']+)'/gm)]
  const dynamics = [...text.matchAll(/\bimport\('([^']+)'\)/g)]
  return [
    ...statics.map((match) => {
      const typeOnly = /^(?:import|export) type\b/.test(match[0])
      return { from, to: target(from, match[1] ?? ''), dynamic: false, typeOnly }
    }),
    ...dynamics.map((match) => ({ from, to: target(from, match[1] ?? ''), dynamic: true, typeOnly: false })),
  ]
}

function target(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  return posix.normalize(posix.join(posix.dirname(from), specifier)).replace(/\.js$/, '.ts')
}

function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : 'root'
}

/** `gpt-tokenizer/encoding/o200k_base` is of `gpt-tokenizer`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

const isOurs = (file: string) => file.endsWith('.ts')

describe('the architecture', () => {
  it('has every room in the table', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(mayImport).sort())
  })

  it('keeps to who may import whom', () => {
    const breaches = imports.filter(({ from, to }) => {
      if (!isOurs(to)) return false
      const [room, other] = [roomOf(from), roomOf(to)]
      if (from in foundation) return !foundation[from]?.some((allowed) => allowed === other || allowed === to)
      if (room === other) return false
      if (!mayImport[room]?.includes(other)) return true
      return other === 'root' && room !== 'cli' && room !== 'root' && !(to in foundation)
    })
    expect(breaches).toEqual([])
  })

  it('uses node: only in adapters and the command, and packages only where the table says', () => {
    const breaches = imports.filter(({ from, to }) => {
      if (isOurs(to) || to.endsWith('package.json')) return false
      if (to.startsWith('node:')) return !['adapters', 'cli'].includes(roomOf(from))
      return !packages[packageOf(to)]?.includes(roomOf(from))
    })
    expect(breaches).toEqual([])
  })

  it('loads gray-matter only when it is needed', () => {
    const loads = imports.filter(({ to }) => to === 'gray-matter')
    const types = readFileSync(join(src, 'workspace/front-matter.ts'), 'utf8')
    expect(types).toContain("import type matter from 'gray-matter'")
    expect(loads.filter(({ dynamic }) => dynamic)).toHaveLength(1)
  })

  it('brings no schemas along with the file system on disk', () => {
    const reached = new Set(['adapters/node/index.ts'])
    for (const file of reached) for (const next of valueImports(file)) reached.add(next)
    expect(reached.size).toBeGreaterThan(20)
    expect(imports.filter(({ from, to, typeOnly }) => reached.has(from) && to === 'zod' && !typeOnly)).toEqual([])
  })

  it('loads chokidar only when something is watched', () => {
    const loads = imports.filter(({ to, typeOnly }) => to === 'chokidar' && !typeOnly)
    expect(loads.map(({ dynamic }) => dynamic)).toEqual([true])
  })

  it('loads the templates of a new workspace only when they are asked for', () => {
    const loads = imports.filter(({ to }) => /^scaffold\/templates\//.test(to))
    expect(loads.map(({ to, dynamic }) => [to, dynamic])).toEqual([
      ['scaffold/templates/en.ts', true],
      ['scaffold/templates/zh-CN.ts', true],
    ])
  })

  it('reads nothing ambient in the core', () => {
    const ambient =
      /\bprocess\b(?!\.)|\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\b|\bconsole\b\s*\./
    const offenders = files
      .filter((file) => !['adapters', 'cli'].includes(roomOf(file)))
      .filter((file) => ambient.test(codeOf(file)))
    // The one default: the time of a turn that names none.
    expect(offenders).toEqual(['build-system-prompt.ts'])
    expect(codeOf('build-system-prompt.ts').match(/new Date\(\)/g)).toHaveLength(1)
  })

  it('has no cycle', () => {
    const edges = new Map(files.map((file) => [file, valueImports(file)]))
    const state = new Map<string, 'open' | 'done'>()
    const cycles: string[] = []
    const visit = (file: string, path: readonly string[]) => {
      if (state.get(file) === 'done') return
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
        return
      }
      state.set(file, 'open')
      for (const next of edges.get(file) ?? []) visit(next, [...path, file])
      state.set(file, 'done')
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('keeps every file short enough to read at once', () => {
    const long = files.filter((file) => readFileSync(join(src, file), 'utf8').split('\n').length > 300)
    expect(long).toEqual([])
  })

  it('mirrors itself in the tests', () => {
    const tests = readdirSync(dirname(fileURLToPath(import.meta.url)), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
    for (const room of Object.keys(mayImport).filter((name) => !['root', 'ports'].includes(name))) {
      expect(tests, relative(src, room)).toContain(room)
    }
  })
})

function codeOf(file: string): string {
  return readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
}

function valueImports(file: string): readonly string[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?'(\.[^']+)'/gm)]
    .map((match) => target(file, match[1] ?? ''))
    .filter(isOurs)
}
