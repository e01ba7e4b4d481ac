import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { NodeFileSystemOptions } from '../../../src/adapters/node/index.js'
import { createNodeFileSystem, type NodeFileSystem } from '../../../src/adapters/node/node-file-system.js'
import { PromptError } from '../../../src/errors.js'
import { countCalls, fateOf, later, present, readOne, startScript, temporaryWorkspace } from './workspace.js'
import { errorOf, treeOf } from './writing.js'

type Open = (root: string, options?: NodeFileSystemOptions) => NodeFileSystem

const ways: readonly (readonly [string, Open])[] = [
  ['sync', (root, options = {}) => createNodeFileSystem(root, { io: 'sync', ...options }, ofThisSystem)],
  ['async', (root, options = {}) => createNodeFileSystem(root, { io: 'async', ...options }, ofThisSystem)],
  ['sync, confirmed by path', (root, options = {}) => createNodeFileSystem(root, { io: 'sync', ...options }, 'path')],
  ['async, confirmed by path', (root, options = {}) => createNodeFileSystem(root, { io: 'async', ...options }, 'path')],
]
/** Writing never blocks, whatever `io` says. */
const writingWays = ways.filter(([way]) => way === 'async' || way === 'sync, confirmed by path')
const ofThisSystem = process.platform === 'linux' ? 'descriptor' : 'path'

/** A workspace, a shared folder, and a folder that nothing may reach, full of links between them. */
function linkedWorkspace() {
  const { folder, root, inRoot } = temporaryWorkspace({ 'real.md': 'real', 'folder/deep.md': 'deep' })
  const put = (path: string, text: string) => {
    fs.mkdirSync(`${folder}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true })
    fs.writeFileSync(`${folder}/${path}`, text)
  }
  put('shared/soul.md', 'shared')
  put('shared/sub/deep.md', 'shared deep')
  put('shared-not/secret.md', 'secret')
  put('outside/secret.md', 'secret')
  execFileSync('mkfifo', [inRoot('fifo'), `${folder}/shared/fifo`])
  const links = {
    'root/file.md': 'real.md',
    'root/absolute.md': inRoot('real.md'),
    'root/chain.md': 'file.md',
    'root/dir': 'folder',
    'root/back.md': '../root/real.md',
    'root/out-and-back.md': '../outside/in.md',
    'outside/in.md': '../root/real.md',
    'root/dangling.md': 'none.md',
    'root/loop.md': 'loop.md',
    'root/fifo.md': 'fifo',
    'root/device.md': '/dev/zero',
    'root/environment.md': '/proc/self/environ',
    'root/secret.md': '../outside/secret.md',
    'root/outside': '../outside',
    'root/neighbour.md': '../shared-not/secret.md',
    'root/shared.md': '../shared/soul.md',
    'root/shared-chain.md': 'shared.md',
    'root/shared': `${folder}/shared`,
    'root/shared-fifo.md': '../shared/fifo',
    'root/shared-dangling.md': '../shared/none.md',
    'root/through.md': '../shared/escape.md',
    'shared/escape.md': '../outside/secret.md',
    'shared/escape': '../outside',
    'root/home.md': '../shared/home.md',
    'shared/home.md': '../root/real.md',
  }
  for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, `${folder}/${name}`)
  return { folder, root, inRoot, shared: `${folder}/shared` }
}

type Mode = 'inside-root' | 'reject' | 'roots'
const modes: readonly Mode[] = ['inside-root', 'reject', 'roots']
const optionsOf = (mode: Mode, shared: string): NodeFileSystemOptions => ({
  links: mode === 'roots' ? { roots: [shared] } : mode,
})

const inRoot = { 'inside-root': 'present', reject: 'outside-root', roots: 'present' } as const
const inShared = { 'inside-root': 'outside-root', reject: 'outside-root', roots: 'present' } as const
const nowhere = { 'inside-root': 'outside-root', reject: 'outside-root', roots: 'outside-root' } as const
const as = (fate: string) => ({ 'inside-root': fate, reject: 'outside-root', roots: fate })

/** What becomes of a reading. */
const expected: Readonly<Record<string, Readonly<Record<Mode, string>>>> = {
  'real.md': { 'inside-root': 'present', reject: 'present', roots: 'present' },
  'folder/deep.md': { 'inside-root': 'present', reject: 'present', roots: 'present' },
  'file.md': inRoot,
  'absolute.md': inRoot,
  'chain.md': inRoot,
  'dir/deep.md': inRoot,
  'back.md': inRoot,
  'out-and-back.md': inRoot,
  'home.md': inRoot,
  'dangling.md': as('missing'),
  'shared-dangling.md': as('missing'),
  'loop.md': as('io'),
  'fifo.md': as('not-a-file'),
  'device.md': nowhere,
  'environment.md': nowhere,
  'secret.md': nowhere,
  'outside/secret.md': nowhere,
  'neighbour.md': nowhere,
  'through.md': nowhere,
  'shared/escape.md': nowhere,
  'shared/escape/secret.md': nowhere,
  'shared.md': inShared,
  'shared-chain.md': inShared,
  'shared/soul.md': inShared,
  'shared/sub/deep.md': inShared,
  'shared-fifo.md': { ...inShared, roots: 'not-a-file' },
}

describe.each(ways)('%s', (_, open) => {
  describe.each(modes)('links: %s', (mode) => {
    test('what is read', async () => {
      const { root, shared } = linkedWorkspace()
      const files = open(root, optionsOf(mode, shared))
      // Twice: what was refused once is not remembered as good.
      for (let round = 0; round < 2; round++) {
        const readings = await files.read(Object.keys(expected))
        const fates = Object.fromEntries(readings.map((reading) => [reading.path, fateOf(reading)]))
        expect(fates).toEqual(Object.fromEntries(Object.entries(expected).map(([path, by]) => [path, by[mode]])))
        expect(JSON.stringify(readings)).not.toContain('"secret"')
      }
    })

    test('what is listed', async () => {
      const { root, shared } = linkedWorkspace()
      const files = open(root, optionsOf(mode, shared))
      const outcome = async (folder: string) =>
        files.list(folder).then(
          (names) => [...names].sort().join(),
          (error: unknown) => (error instanceof PromptError ? error.code : error),
        )
      expect(await outcome('folder')).toBe('deep.md')
      expect(await outcome('dir')).toBe(mode === 'reject' ? 'outside-root' : 'deep.md')
      expect(await outcome('shared/sub')).toBe(mode === 'roots' ? 'deep.md' : 'outside-root')
      expect(await outcome('outside')).toBe('outside-root')
      expect(await outcome('shared/escape')).toBe('outside-root')
    })

    test('a link is removed, and what it leads to is not', async () => {
      const { folder, root, shared } = linkedWorkspace()
      const files = open(root, optionsOf(mode, shared))
      const { 'root/file.md': link, ...before } = treeOf(folder)
      const gone = ['dangling.md', 'loop.md', 'device.md', 'secret.md', 'shared.md', 'shared', 'outside', 'dir']
      for (const name of ['file.md', ...gone]) await files.remove(name)
      for (const name of gone) delete (before as Record<string, string>)[`root/${name}`]
      expect(link).toBe('-> real.md')
      expect(treeOf(folder)).toEqual(before)
    })

    test('through a folder, a file is removed, and created, where the folder may be reached', async () => {
      const { folder, root, shared } = linkedWorkspace()
      const files = open(root, optionsOf(mode, shared))
      const before = treeOf(folder)
      const attempts = [
        ['dir', 'root/folder', mode !== 'reject'],
        ['shared/sub', 'shared/sub', mode === 'roots'],
        ['outside', 'outside', false],
        ['shared/escape', 'outside', false],
      ] as const
      for (const [through, real, may] of attempts) {
        const changes = [
          () => files.write(`${through}/new/a.md`, 'new', { ifVersion: null }),
          () => files.append(`${through}/b.md`, 'new'),
          () => files.remove(`${through}/${real === 'outside' ? 'secret' : 'deep'}.md`),
        ]
        for (const change of changes) {
          if (may) await change()
          else expect((await errorOf(change())).code).toBe('outside-root')
        }
        if (!may) continue
        const tree = treeOf(folder)
        expect([tree[`${real}/new/a.md`], tree[`${real}/b.md`], tree[`${real}/deep.md`]]).toEqual([
          'new',
          'new',
          undefined,
        ])
      }
      if (mode === 'reject') expect(treeOf(folder)).toEqual(before)
      expect(treeOf(`${folder}/outside`)).toEqual({ 'in.md': '-> ../root/real.md', 'secret.md': 'secret' })
    })

    test('a root that is a link itself, and one above it, stay as they are', async () => {
      const { folder, root, shared } = linkedWorkspace()
      fs.symlinkSync('root', `${folder}/linked`)
      fs.symlinkSync('.', `${folder}/here`)
      for (const given of [`${folder}/linked`, `${folder}/here/root`, `${folder}/here/linked`]) {
        const files = open(given, optionsOf(mode, shared))
        expect((await present(files, 'folder/deep.md')).text).toBe('deep')
        expect(await files.list('')).toContain('real.md')
        expect(await files.list('folder')).toEqual(['deep.md'])
        expect(fateOf(await readOne(files, 'dir/deep.md'))).toBe(inRoot[mode])
        await files.write('new.md', 'new')
        await files.write('made/new.md', 'new')
        await files.append('new.md', '+')
        expect((await present(files, 'new.md')).text).toBe('new+')
        await files.remove('new.md')
        await files.remove('made/new.md')
        expect(fs.existsSync(`${root}/new.md`)).toBe(false)
      }
    })
  })

  test('rejected links say so, in files and in folders', async () => {
    const { root } = linkedWorkspace()
    const files = open(root, { links: 'reject' })
    expect(await readOne(files, 'file.md')).toMatchObject({ detail: 'it is a link, and links are rejected' })
    const through = 'a folder on the way to it is a link, and links are rejected'
    expect(await readOne(files, 'dir/deep.md')).toMatchObject({ detail: through })
    expect(await readOne(files, 'outside/secret.md')).toMatchObject({ detail: through })
    expect((await errorOf(files.write('file.md', 'x'))).message).toContain('it is a link, and links are rejected')
    expect((await errorOf(files.append('dir/x.md', 'x'))).message).toContain('links are rejected')
    expect((await errorOf(files.list('dir'))).message).toContain('links are rejected')
    expect((await errorOf(files.write('file.md', 'x', { ifVersion: 'any' }))).code).toBe('outside-root')
  })

  test('a folder that was a folder when it was read, and is a link inside the root now, is rejected', async () => {
    const { root, inRoot } = linkedWorkspace()
    const files = open(root, { links: 'reject' })
    expect(fateOf(await readOne(files, 'folder/deep.md'))).toBe('present')
    fs.renameSync(inRoot('folder'), inRoot('moved'))
    fs.symlinkSync('moved', inRoot('folder'))
    fs.writeFileSync(inRoot('moved/deep.md'), 'changed')
    expect(fateOf(await readOne(files, 'folder/deep.md'))).toBe('outside-root')
    expect(fateOf(await readOne(files, 'moved/deep.md'))).toBe('present')
  })

  test('a write through a link into another root is a compare-and-set as any other', async () => {
    const { root, shared } = linkedWorkspace()
    const files = open(root, optionsOf('roots', shared))
    const { version } = await present(files, 'shared.md')
    const written = await files.write('shared.md', 'new', { ifVersion: version })
    expect(await readOne(files, 'shared.md')).toEqual(written)
    expect(await errorOf(files.write('shared.md', 'newer', { ifVersion: version }))).toMatchObject({ code: 'conflict' })
    expect(await errorOf(files.write('shared.md', 'x', { ifVersion: null }))).toMatchObject({ code: 'conflict' })
    expect(fs.readFileSync(`${shared}/soul.md`, 'utf8')).toBe('new')
    expect(fs.readdirSync(shared).filter((name) => name.endsWith('-tmp'))).toEqual([])
  })

  test('a link to a root itself is no file', async () => {
    const { root, shared } = linkedWorkspace()
    const files = open(root, optionsOf('roots', shared))
    expect(await errorOf(files.write('shared', 'x'))).toMatchObject({ code: 'io' })
    expect(fateOf(await readOne(files, 'shared'))).toBe('not-a-file')
  })

  test('roots are paths, file: URLs or links; what is no folder allows nothing until it is one', async () => {
    const { folder, root, shared } = linkedWorkspace()
    fs.symlinkSync('shared', `${folder}/alias`)
    const roots = [[`${shared}/`], [pathToFileURL(shared)], [`${folder}/alias`], [`${folder}/none`, shared]]
    for (const one of roots) {
      expect(fateOf(await readOne(open(root, { links: { roots: one } }), 'shared.md'))).toBe('present')
    }
    const none = [[], [`${folder}/none`], [`${shared}/soul.md`], [`${shared}/soul.md/below`], [`${shared}/sub`]]
    for (const one of none) {
      expect(fateOf(await readOne(open(root, { links: { roots: one } }), 'shared.md'))).toBe('outside-root')
    }
    const files = open(root, { links: { roots: [`${folder}/later`] } })
    expect(fateOf(await readOne(files, 'shared.md'))).toBe('outside-root')
    fs.symlinkSync('shared', `${folder}/later`)
    expect(fateOf(await readOne(files, 'shared.md'))).toBe('present')
    fs.rmSync(`${folder}/later`)
    fs.symlinkSync('outside', `${folder}/later`)
    fs.writeFileSync(`${shared}/soul.md`, 'changed')
    expect(fateOf(await readOne(files, 'shared.md'))).toBe('outside-root')
    expect(fateOf(await readOne(files, 'secret.md'))).toBe('present')
  })

  test('an unchanged file behind a link into another root costs one stat', async () => {
    const { root, shared } = linkedWorkspace()
    const files = open(root, optionsOf('roots', shared))
    later()
    const before = await readOne(files, 'shared.md')
    const calls = countCalls()
    expect(await readOne(files, 'shared.md')).toBe(before)
    expect([...calls.values()].reduce((sum, count) => sum + count, 0)).toBe(1)
  })
})

describe.each(writingWays)('%s', (_, open) => {
  describe.each(modes)('links: %s', (mode) => {
    test.each(['write', 'append'] as const)('what is changed by %s', async (verb) => {
      let made = linkedWorkspace()
      for (const [path, { [mode]: fate }] of Object.entries(expected)) {
        const { folder, root, shared } = made
        const files = open(root, optionsOf(mode, shared))
        const before = treeOf(folder)
        if (fate !== 'present') {
          const error = await errorOf(files[verb](path, '+'))
          expect([path, error.code]).toEqual([path, fate === 'outside-root' ? 'outside-root' : 'io'])
          expect(treeOf(folder)).toEqual(before)
          continue
        }
        await files[verb](path, '+')
        const { text } = await present(files, path)
        // The target, and nothing else: every link is still one.
        const target = fs.realpathSync(`${root}/${path}`).slice(folder.length + 1)
        expect(text).toBe(verb === 'write' ? '+' : `${before[target]}+`)
        expect(treeOf(folder)).toEqual({ ...before, [target]: text })
        made = linkedWorkspace()
      }
    })
  })
})

test('what is no choice is refused, with what was expected and what came', () => {
  const { root } = temporaryWorkspace()
  const whole = 'links must be "inside-root", "reject" or { roots } with a list of folders, not '
  const one = 'links.roots[0] must be the absolute path of a folder or a file: URL, not '
  const refused: readonly [unknown, string][] = [
    ['follow', `${whole}"follow".`],
    [null, `${whole}null.`],
    [7, `${whole}7.`],
    [{}, `${whole}an object without them.`],
    [['/a'], `${whole}an array of 1.`],
    [{ roots: '/a' }, `${whole}an object without them.`],
    [{ roots: ['a/b'] }, `${one}"a/b".`],
    [{ roots: [''] }, `${one}"".`],
    [{ roots: ['/a\0b'] }, `${one}"/a\\u0000b".`],
    [{ roots: [new URL('https://example.com/a')] }, `${one}https://example.com/a.`],
    [{ roots: [undefined] }, `${one}undefined.`],
    [{ roots: ['/a', Object.create(null)] }, 'links.roots[1] must be '],
  ]
  for (const [links, message] of refused) {
    let error: unknown
    try {
      createNodeFileSystem(root, { links: links as never }, ofThisSystem)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(PromptError)
    expect(error).toMatchObject({ code: 'invalid-options', message: expect.stringContaining(message) })
  }
})

const attacker = `
  const fs = require('fs'); const [link, ...targets] = process.argv.slice(1); let swaps = 0
  const turnTo = (target) => { fs.symlinkSync(target, link + '-next'); fs.renameSync(link + '-next', link) }
  const step = () => {
    for (let i = 0; i < 50; i++, swaps++) for (const target of targets) turnTo(target)
    process.stdout.write(swaps + '\\n'); setTimeout(step, 2)
  }
  step()
`

/** Turns a link in the workspace to the one and the other target all the time. Returns how often by now. */
async function attack(link: string, ...targets: readonly string[]) {
  const child = await startScript(attacker, link, ...targets)
  let swaps = 0
  child.stdout?.on('data', (data: Buffer) => {
    swaps = Number(data.toString().trim().split('\n').at(-1))
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return { swaps: () => swaps, stop: () => child.kill('SIGKILL') && once(child, 'exit') }
}

describe.each(ways)('%s: somebody turns a link from another root to elsewhere and back all the time', (_, open) => {
  test('nothing of elsewhere is read, listed or changed', { timeout: 120_000 }, async () => {
    const { folder, root, shared } = linkedWorkspace()
    fs.writeFileSync(`${folder}/outside/soul.md`, 'secret')
    const before = treeOf(`${folder}/outside`)
    const { swaps, stop } = await attack(`${root}/shared`, shared, `${folder}/outside`)
    const fates = new Map<string, number>()
    const note = (fate: string) => fates.set(fate, (fates.get(fate) ?? 0) + 1)
    const raced = () =>
      swaps() > 50 && ['read', 'write', 'append', 'list'].every((verb) => (fates.get(`${verb} done`) ?? 0) > 0)
    const end = Date.now() + 60_000
    for (let round = 0; round < 150 || (!raced() && Date.now() < end); round++) {
      // A new one each time: nothing is known from before.
      const files = open(root, optionsOf('roots', shared))
      const reading = await readOne(files, 'shared/soul.md')
      expect(reading).not.toMatchObject({ text: 'secret' })
      note(`read ${reading.state === 'present' ? 'done' : fateOf(reading)}`)
      const change = async (verb: string, promise: Promise<unknown>) =>
        promise.then(
          () => note(`${verb} done`),
          (error: unknown) => note(`${verb} ${error instanceof PromptError ? error.code : String(error)}`),
        )
      await change('write', files.write('shared/soul.md', 'changed'))
      await change('append', files.append('shared/soul.md', '+'))
      await change(
        'list',
        files.list('shared').then((names) => expect(names).not.toContain('secret.md')),
      )
    }
    await stop()
    expect(raced()).toBe(true)
    expect([...fates.keys()].filter((fate) => !/ (done|io|outside-root|missing)$/.test(fate))).toEqual([])
    expect(treeOf(`${folder}/outside`)).toEqual(before)
  })

  test('rejected, not even what lies in the root is read through it', { timeout: 120_000 }, async () => {
    const { root, inRoot } = linkedWorkspace()
    fs.mkdirSync(inRoot('aside'))
    fs.writeFileSync(inRoot('aside/deep.md'), 'aside')
    fs.rmSync(inRoot('dir'))
    const child = await startScript(
      `const fs = require('fs'); const [folder] = process.argv.slice(1); let swaps = 0
       const step = () => {
         for (let i = 0; i < 50; i++, swaps++) {
           fs.renameSync(folder, folder + '-away'); fs.symlinkSync('aside', folder)
           fs.unlinkSync(folder); fs.renameSync(folder + '-away', folder)
         }
         process.stdout.write(swaps + '\\n'); setTimeout(step, 1)
       }
       step()`,
      inRoot('folder'),
    )
    const fates = new Map<string, number>()
    const end = Date.now() + 60_000
    const raced = () => (fates.get('deep') ?? 0) > 0 && (fates.get('outside-root') ?? 0) > 0
    for (let round = 0; round < 500 || (!raced() && Date.now() < end); round++) {
      const reading = await readOne(open(root, { links: 'reject' }), 'folder/deep.md')
      const fate = reading.state === 'present' ? reading.text : fateOf(reading)
      fates.set(fate, (fates.get(fate) ?? 0) + 1)
      if (round % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(raced()).toBe(true)
    expect(fates.get('aside')).toBeUndefined()
  })
})
