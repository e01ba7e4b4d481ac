import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { temporaryWorkspace } from './workspace.js'

/** Root may read everything, so the reading is done by a process that has given up its rights. */
const reader = `
  const [entry, root, io] = process.argv.slice(1)
  const { nodeFileSystem } = await import(entry)
  if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
  const files = nodeFileSystem(root, { io })
  const readings = await files.read(['open.md', 'closed.md', 'closed/a.md', 'link.md', 'blind/a.md', 'none.md'])
  const lists = await Promise.all(['closed', 'blind', 'none'].map((name) => files.list(name).catch((error) => error.code)))
  const fates = readings.map((reading) => [reading.path, reading.reason ?? reading.state])
  console.log(JSON.stringify({ user: process.getuid(), fates: Object.fromEntries(fates), lists }))
`

describe.skipIf(process.getuid === undefined)('without permission', () => {
  test.each(['sync', 'async', 'auto'])('%s: the file says so, and the others are read', (io) => {
    const { folder, root, inRoot, put } = temporaryWorkspace({ 'open.md': 'open', 'closed.md': 'closed' })
    put('closed/a.md', 'closed')
    put('blind/a.md', 'may be opened, but not listed')
    fs.symlinkSync('closed/a.md', inRoot('link.md'))
    for (const path of [folder, root]) fs.chmodSync(path, 0o755)
    fs.chmodSync(inRoot('open.md'), 0o644)
    fs.chmodSync(inRoot('blind/a.md'), 0o644)
    fs.chmodSync(inRoot('closed.md'), 0)
    fs.chmodSync(inRoot('closed'), 0)
    fs.chmodSync(inRoot('blind'), 0o711)
    if (process.getuid?.() !== 0) fs.chmodSync(inRoot('blind'), 0o311)

    const entry = pathToFileURL(compiled(folder)).href
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', reader, entry, root, io], {
      encoding: 'utf8',
    })
    fs.chmodSync(inRoot('closed'), 0o755)
    const { user, fates, lists } = JSON.parse(output)
    expect(user).not.toBe(0)
    expect(fates).toEqual({
      'open.md': 'present',
      'closed.md': 'permission',
      'closed/a.md': 'permission',
      'link.md': 'permission',
      'blind/a.md': 'present',
      'none.md': 'missing',
    })
    expect(lists).toEqual(['io', 'io', []])
  })
})

/** The sources as a process of its own can run them. */
function compiled(folder: string): string {
  const source = fileURLToPath(new URL('../../../src/', import.meta.url))
  const files = ['errors.ts', 'workspace/count-units.ts', 'workspace/decode.ts', 'workspace/paths.ts']
  for (const name of fs.readdirSync(join(source, 'adapters/node'))) files.push(`adapters/node/${name}`)
  for (const file of files) {
    const target = join(folder, 'js', file.replace(/\.ts$/, '.js'))
    fs.mkdirSync(dirname(target), { recursive: true })
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true }
    const { outputText } = ts.transpileModule(fs.readFileSync(join(source, file), 'utf8'), { compilerOptions: options })
    fs.writeFileSync(target, outputText)
  }
  fs.writeFileSync(join(folder, 'js/package.json'), '{ "type": "module" }')
  return join(folder, 'js/adapters/node/index.js')
}
