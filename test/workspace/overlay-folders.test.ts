import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSystemPrompt, defineAgent, overlayFileSystem } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../adapters/node/workspace.js'
import { fates } from './stores.js'

describe('over folders', () => {
  const folders = (own: Readonly<Record<string, string>>, shared: Readonly<Record<string, string>>) => {
    const [first, second] = [temporaryWorkspace(own), temporaryWorkspace(shared)]
    const files = overlayFileSystem([nodeFileSystem(first.root), nodeFileSystem(second.root)])
    return { first, second, files }
  }

  it('builds a prompt of the shared files and one’s own, file by file, turn by turn', async () => {
    const { first, files } = folders(
      { 'USER.md': 'Her name is Ines.' },
      { 'SOUL.md': 'Shared soul.', 'AGENTS.md': 'Shared rules.', 'USER.md': 'Nobody in particular.' },
    )
    const agent = defineAgent({ files })
    const turn = { now: new Date('2026-02-16T18:00:00Z') }
    const shown = async () => {
      const { text, sources } = await buildSystemPrompt(agent, turn)
      const version = (path: string) => sources.find((source) => source.path === path)?.version?.slice(0, 2)
      const said = ['Shared soul.', 'Own soul.', 'Shared rules.', 'Ines', 'Nobody'].filter((words) =>
        text.includes(words),
      )
      return [said, version('SOUL.md'), version('AGENTS.md'), version('USER.md')]
    }
    expect(await shown()).toEqual([['Shared soul.', 'Shared rules.', 'Ines'], '1:', '1:', '0:'])
    first.put('SOUL.md', 'Own soul.')
    expect(await shown()).toEqual([['Own soul.', 'Shared rules.', 'Ines'], '0:', '1:', '0:'])
    fs.rmSync(first.inRoot('SOUL.md'))
    expect(await shown()).toEqual([['Shared soul.', 'Shared rules.', 'Ines'], '1:', '1:', '0:'])
  })

  it('gives an unchanged workspace the very same prompt', async () => {
    const { files } = folders({ 'USER.md': 'Ines' }, { 'SOUL.md': 'Shared soul.' })
    const agent = defineAgent({ files })
    const turn = { now: new Date('2026-02-16T18:00:00Z') }
    const before = await buildSystemPrompt(agent, turn)
    expect(before.diagnostics).toEqual([])
    expect(await buildSystemPrompt(agent, turn)).toBe(before)
  })

  it('shows the shared files while the own folder is gone', async () => {
    const { first, files } = folders({ 'SOUL.md': 'own' }, { 'SOUL.md': 'shared' })
    expect(await fates(files, 'SOUL.md')).toEqual(['own'])
    fs.rmSync(first.root, { recursive: true })
    expect(await fates(files, 'SOUL.md')).toEqual(['shared'])
    expect(await files.list?.('')).toEqual(['SOUL.md'])
    first.put('SOUL.md', 'own again')
    expect(await fates(files, 'SOUL.md')).toEqual(['own again'])
  })

  it.skipIf(process.getuid === undefined)('an own file without permission stays unreadable', () => {
    const { first, second } = folders(
      { 'SOUL.md': 'own', 'USER.md': 'own' },
      { 'SOUL.md': 'shared', 'AGENTS.md': 'shared', 'USER.md': 'shared' },
    )
    for (const { folder, root } of [first, second]) for (const path of [folder, root]) fs.chmodSync(path, 0o755)
    for (const path of [first.inRoot('USER.md'), ...['SOUL.md', 'AGENTS.md', 'USER.md'].map(second.inRoot)]) {
      fs.chmodSync(path, 0o644)
    }
    fs.chmodSync(first.inRoot('SOUL.md'), 0)
    const sources = compiled(first.folder)
    const output = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', reader, sources, first.root, second.root],
      {
        encoding: 'utf8',
      },
    )
    expect(JSON.parse(output)).toEqual({ own: ['permission', 'shared', 'own'], closed: Array(3).fill('permission') })
  })
})

/** Root may read everything, so the reading is done by a process that has given up its rights. */
const reader = `
  import { chmodSync } from 'node:fs'
  const [sources, own, shared] = process.argv.slice(1)
  const { overlayFileSystem } = await import(sources + 'workspace/overlay-file-system.js')
  const { nodeFileSystem } = await import(sources + 'adapters/node/index.js')
  const files = overlayFileSystem([nodeFileSystem(own), nodeFileSystem(shared)])
  const fates = async () => {
    const readings = await files.read(['SOUL.md', 'AGENTS.md', 'USER.md'])
    return readings.map((reading) => reading.reason ?? reading.text ?? reading.state)
  }
  const withoutRights = async (task) => {
    if (process.getuid() === 0) process.seteuid(65534)
    try { return await task() } finally { if (process.getuid() === 0) process.seteuid(0) }
  }
  const readable = await withoutRights(fates)
  chmodSync(own, 0)
  const closed = await withoutRights(fates)
  chmodSync(own, 0o755)
  console.log(JSON.stringify({ own: readable, closed }))
`

/** The sources as a process of its own can run them, and where they lie. */
function compiled(folder: string): string {
  const source = fileURLToPath(new URL('../../src/', import.meta.url))
  const target = join(folder, 'js')
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true }
  const names = new Set(['workspace/overlay-file-system.js', 'adapters/node/index.js'])
  for (const name of names) {
    const text = fs.readFileSync(join(source, name.replace(/\.js$/, '.ts')), 'utf8')
    const { outputText } = ts.transpileModule(text, { compilerOptions })
    for (const [, path = ''] of outputText.matchAll(/from '(\.[^']+)'/g)) names.add(join(dirname(name), path))
    fs.mkdirSync(dirname(join(target, name)), { recursive: true })
    fs.writeFileSync(join(target, name), outputText)
  }
  fs.writeFileSync(join(target, 'package.json'), '{ "type": "module" }')
  fs.symlinkSync(join(source, '../node_modules'), join(target, 'node_modules'))
  return pathToFileURL(`${target}/`).href
}
