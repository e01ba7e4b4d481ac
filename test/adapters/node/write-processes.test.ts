import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { compiled } from './compiled.js'
import { present, temporaryWorkspace } from './workspace.js'
import { treeOf } from './writing.js'

/** Texts that are one character over and over, so that a mixture of two shows. */
const writer = `
  const [entry, root, path, first] = process.argv.slice(1)
  const { nodeFileSystem } = await import(entry)
  const files = nodeFileSystem(root)
  for (let round = Number(first); ; round++) {
    await files.write(path, String(round % 10).repeat(20_000 + (round % 7) * 30_000))
    process.stdout.write('.')
  }
`

test('a reader never sees a part, though the writer is killed 100 times', async () => {
  const { folder, root, put } = temporaryWorkspace()
  const entry = pathToFileURL(compiled(folder)).href
  const paths = ['a.md', 'b.md', 'memory/c.md', 'd.md']
  for (const path of paths) put(path, '0'.repeat(20_000))
  let kills = 0
  const killAgain = async (path: string) => {
    for (let round = 0; round < 25; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer, entry, root, path, String(kills)])
      onTestFinished(() => void child.kill('SIGKILL'))
      // At any moment of one of its first writes.
      for (let writes = 0; writes <= round % 3; writes++) await once(child.stdout, 'data')
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
      child.kill('SIGKILL')
      await once(child, 'exit')
      kills++
    }
  }
  const writing = Promise.all(paths.map(killAgain))
  const reader = nodeFileSystem(root)
  const torn: string[] = []
  const seen = new Set<string>()
  for (let isOver = false; !isOver; ) {
    for (const reading of await reader.read(paths)) {
      const text = reading.state === 'present' ? reading.text : reading.state
      if (!/^(\d)\1*$/.test(text) || (text.length - 20_000) % 30_000 !== 0) torn.push(text.slice(0, 20))
      seen.add(text)
    }
    isOver = await Promise.race([
      writing.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 1, false)),
    ])
  }
  await writing
  expect(torn).toEqual([])
  expect(kills).toBe(100)
  expect(seen.size).toBeGreaterThan(10)
  // What a killed writer leaves behind bears the sign of it and hinders nobody.
  const left = Object.keys(treeOf(root)).filter((name) => !paths.includes(name) && name !== 'memory')
  const sign = /^(memory\/)?\.[abcd]\.md\.([0-9a-f]{16}\.soulprompt-lock|\d+-[0-9a-f]{12}\.soulprompt-tmp)(\/|$)/
  for (const name of left) expect(name).toMatch(sign)
  for (const path of paths) expect((await reader.write(path, 'at last')).text).toBe('at last')
  expect(Object.keys(treeOf(root)).sort()).toEqual([...paths, 'memory'].sort())
}, 180_000)

test('a killed creator leaves no part, and the file can be created', async () => {
  const { folder, root } = temporaryWorkspace()
  const entry = pathToFileURL(compiled(folder)).href
  const creator = writer
    .replace('files.write(path,', "files.write(path + round + '.md',")
    .replace('30_000)', '30_000), { ifVersion: null }')
  for (let round = 0; round < 10; round++) {
    fs.rmSync(root, { recursive: true })
    const child = spawn(process.execPath, ['--input-type=module', '-e', creator, entry, root, 'x/', '0'])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const made = Object.entries(treeOf(root)).filter(([name]) => name.endsWith('.md'))
    expect(made.length).toBeGreaterThan(0)
    for (const [, text] of made) expect(text).toMatch(/^(\d)\1{19999,}$/)
    const files = nodeFileSystem(root)
    await files.write(`x/${made.length}.md`, 'mine', { ifVersion: null })
    expect((await present(files, `x/${made.length}.md`)).text).toBe('mine')
  }
}, 120_000)

/** Root may write everything, so the writing is done by a process that has given up its rights. */
const unprivileged = `
  const [entry, root] = process.argv.slice(1)
  const { nodeFileSystem } = await import(entry)
  if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
  const files = nodeFileSystem(root)
  const fate = (promise) => promise.then(() => 'done', (error) => [error.name, error.code, error.data.code].join(' '))
  const fates = {}
  for (const path of ['closed/a.md', 'closed/new.md', 'closed/new/b.md', 'open/locked.md', 'open/foreign.md', 'open/new.md', 'blind/a.md']) {
    fates[path] = [
      await fate(files.write(path, 'changed')),
      await fate(files.write(path, 'changed', { ifVersion: null })),
      await fate(files.append(path, '!')),
      await fate(files.remove(path)),
    ].join(', ')
  }
  await fate(files.write('open/kept.md', 'changed'))
  console.log(JSON.stringify({ user: process.getuid(), fates }))
`

describe.skipIf(process.getuid === undefined)('without permission', () => {
  let outcome: { readonly user: number; readonly fates: Readonly<Record<string, string>> }
  let tree: Readonly<Record<string, string>>
  let kept: fs.Stats
  beforeAll(() => {
    const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'workspace-')))
    const root = `${folder}/root`
    for (const name of ['open', 'closed', 'blind']) fs.mkdirSync(`${root}/${name}`, { recursive: true })
    for (const name of ['closed/a.md', 'open/locked.md', 'open/foreign.md', 'open/kept.md', 'blind/a.md']) {
      fs.writeFileSync(`${root}/${name}`, 'before')
      fs.chmodSync(`${root}/${name}`, 0o666)
    }
    fs.chmodSync(`${root}/open/locked.md`, 0o444)
    fs.chmodSync(`${root}/open/foreign.md`, 0o664)
    for (const [name, mode] of [
      ['', 0o755],
      ['open', 0o777],
      ['closed', 0o555],
      ['blind', 0o311],
    ] as const)
      fs.chmodSync(`${root}/${name}`, mode)
    fs.chmodSync(folder, 0o755)
    const args = ['--input-type=module', '-e', unprivileged, pathToFileURL(compiled(folder)).href, root]
    outcome = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    kept = fs.statSync(`${root}/open/kept.md`)
    fs.chmodSync(`${root}/blind`, 0o755)
    tree = treeOf(root)
    fs.chmodSync(`${root}/closed`, 0o755)
    fs.rmSync(folder, { recursive: true })
  })

  test('every change says so, and leaves all as it was', () => {
    const refused = 'PromptError io EACCES'
    const conflict = 'PromptError conflict '
    expect(outcome.user).not.toBe(0)
    expect(outcome.fates['closed/new.md']).toBe([refused, refused, refused, 'done'].join(', '))
    expect(outcome.fates['closed/new/b.md']).toBe([refused, refused, refused, 'done'].join(', '))
    // In the folder nothing may be made, but the file itself may be added to.
    expect(outcome.fates['closed/a.md']).toBe([refused, conflict, 'done', refused].join(', '))
    expect(outcome.fates['blind/a.md']).toBe([refused, conflict, refused, refused].join(', '))
    expect(outcome.fates['open/new.md']).toBe(['done', conflict, 'done', 'done'].join(', '))
    expect(tree['closed/a.md']).toBe('before!')
    expect(Object.keys(tree).filter((name) => name.endsWith('-tmp'))).toEqual([])
  })

  test('a file that may not be written is not replaced or removed either', () => {
    const refused = 'PromptError io EACCES'
    if (process.getuid?.() === 0) {
      expect(outcome.fates['open/foreign.md']).toBe([refused, 'PromptError conflict ', refused, refused].join(', '))
    }
    expect(outcome.fates['open/locked.md']).toBe([refused, 'PromptError conflict ', refused, refused].join(', '))
    expect(tree['open/locked.md']).toBe('before')
  })

  test('a file of another user becomes that of who writes it, less the rights of a group that could not be kept', () => {
    expect(tree['open/kept.md']).toBe('changed')
    expect(kept.uid).toBe(outcome.user)
    expect(kept.mode & 0o777).toBe(process.getuid?.() === 0 ? 0o606 : 0o666)
  })
})
