import { execFile, execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askedPaths, canMatter } from '../../../src/adapters/node/asked-paths.js'
import { boundedCache } from '../../../src/adapters/node/cache.js'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { locate, samePlace } from '../../../src/adapters/node/locate-folder.js'
import { watching } from '../../../src/adapters/node/watch.js'
import type { FileReading } from '../../../src/ports/file-system.js'
import { compiledAdapter, listenTo, passed, replaced, settled, waitFor, warnings, watchedPaths } from './watching.js'
import { eachWay, later, present, startScript, temporaryWorkspace } from './workspace.js'

const run = promisify(execFile)

type Save = (path: string, text: string) => unknown

/** How programs save a file that is there. */
const styles: Readonly<Record<string, Save>> = {
  'in place': (path, text) => fs.writeFileSync(path, text),
  'emptied, then written': async (path, text) => {
    fs.truncateSync(path)
    await passed(12)
    fs.writeFileSync(path, text)
  },
  'a temporary file, renamed over it': (path, text) => {
    fs.writeFileSync(`${path}.tmp`, text)
    fs.renameSync(`${path}.tmp`, path)
  },
  vim: (path, text) => {
    fs.renameSync(path, `${path}~`)
    fs.writeFileSync(path, text)
    fs.rmSync(`${path}~`)
  },
  emacs: (path, text) => {
    const lock = path.replace(/[^/]+$/, '.#$&')
    fs.symlinkSync('user@host.1', lock)
    fs.copyFileSync(path, `${path}~`)
    fs.writeFileSync(path, text)
    fs.rmSync(lock)
  },
  'twice within 50 ms': async (path, text) => {
    fs.writeFileSync(path, 'not this')
    await passed(20)
    fs.writeFileSync(path, text)
  },
  'deleted, then created': async (path, text) => {
    fs.rmSync(path)
    await passed(12)
    fs.writeFileSync(path, text)
  },
  'sed -i': (path, text) => run('sed', ['-i', `1s/.*/${text}/`, path]),
  cp: async (path, text) => {
    fs.writeFileSync(`${path}.other`, text)
    await run('cp', [`${path}.other`, path])
  },
  '> and >> of a shell': (path, text) =>
    run('sh', ['-c', 'printf %s "$2" > "$1"; printf %s "$3" >> "$1"', 'sh', path, text.slice(0, 3), text.slice(3)]),
  'another program': (path, text) =>
    run(process.execPath, ['-e', 'require("fs").writeFileSync(...process.argv.slice(1))', path, text]),
}

async function saveOften(folder: string, save: Save, rounds: number): Promise<readonly string[]> {
  const faults: string[] = []
  fs.mkdirSync(folder)
  const path = join(folder, 'SOUL.md')
  fs.writeFileSync(path, 'start')
  const files = nodeFileSystem(folder)
  await files.read(['SOUL.md'])
  const listener = listenTo(files)
  for (let round = 0; round < rounds; round++) {
    const text = `text ${round}`
    listener.forget()
    await save(path, text)
    if ((await present(files, 'SOUL.md')).text !== text) faults.push(`${round}: read before any hint`)
    try {
      await waitFor(async () => {
        expect(listener.told()).toEqual(['SOUL.md'])
        expect((await present(files, 'SOUL.md')).text).toBe(text)
      })
    } catch (error) {
      faults.push(`${round}: ${error}`)
    }
  }
  return faults
}

test('275 saves in eleven styles: each is told of, and seen by whoever reads then, or before', async () => {
  const { inRoot } = temporaryWorkspace()
  const all = Object.entries(styles).map(async ([name, save], index) => {
    const faults = await saveOften(inRoot(String(index)), save, 25)
    return [name, faults] as const
  })
  expect(Object.fromEntries(await Promise.all(all))).toEqual(
    Object.fromEntries(Object.keys(styles).map((name) => [name, []])),
  )
}, 120_000)

describe.each(eachWay)('%s: from the moment in which watch returns', (_, open) => {
  test('changes are told of', async () => {
    const { root, put, inRoot } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C', 'notes/d.md': 'D' })
    fs.symlinkSync('a.md', inRoot('link.md'))
    const files = open(root)
    await files.read(['a.md', 'b.md', 'none.md', 'notes/d.md', 'link.md'])
    const listener = listenTo(files)
    put('a.md', 'changed')
    fs.rmSync(inRoot('b.md'))
    put('c.md', 'changed')
    put('none.md', 'created')
    put('notes/d.md', 'changed')
    put('memory/e.md', 'created with its folder')
    await listener.hears('a.md', 'b.md', 'c.md', 'none.md', 'notes/d.md', 'memory/e.md', 'link.md')
  })

  test('a change is told of that was read before the watch had begun', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const files = open(root)
    await files.read(['a.md'])
    const listener = listenTo(files)
    put('a.md', 'B')
    expect((await present(files, 'a.md')).text).toBe('B')
    await listener.hears('a.md')
  })

  test('what was read and is as it was is not told of, nor what is older than two seconds', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B', 'unread.md': 'U' })
    later()
    const files = open(root)
    await files.read(['a.md', 'b.md'])
    const listener = listenTo(files)
    put('b.md', 'changed')
    await listener.hears('b.md')
    await passed(1_200)
    expect(listener.told()).toEqual(['b.md'])
  })
})

describe('what is told', () => {
  test('are paths that can matter, relative, sorted, once each', async () => {
    const { root, put } = temporaryWorkspace({ 'SOUL.md': 'A', 'memory/b.md': 'B' })
    const files = nodeFileSystem(root)
    await files.read(['SOUL.md', './sub/x.yaml', '../out/y.md', 'pictures/z.png'])
    const listener = listenTo(files)
    await settled(listener)
    const names = ['memory/b.md', 'a.txt', 'a.json', 'a.jsonl', 'a.yaml', 'a.yml', 'a.toml', 'A.MD', 'SOUL.md']
    for (const name of [...names, 'a.log', 'a.md.tmp', '.a.md.swp', '.#a.md', 'a', 'noise/a.md']) put(name, 'x')
    await waitFor(() => expect(listener.batches()).not.toEqual([]))
    expect(listener.batches()).toEqual([[...names].sort()])
    expect(Object.isFrozen(listener.batches()[0])).toBe(true)
    put('sub/x.yaml', 'x')
    await listener.hears('sub/x.yaml')
  })

  test('goes out while a stream of saves goes on', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'A' })
    const listener = listenTo(nodeFileSystem(root))
    await startScript(
      `const fs = require('fs'); console.log('started')
       setInterval(() => fs.appendFileSync(process.argv[1], 'x'), 10)`,
      inRoot('a.md'),
    )
    await waitFor(() => expect(listener.batches().length).toBeGreaterThan(1))
    expect(listener.told()).toEqual(['a.md'])
  })

  test('comes together where it happens together', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const listener = listenTo(nodeFileSystem(root))
    await settled(listener)
    for (const text of ['1', '2', '3', '4', '5']) {
      put('a.md', text)
      put('b.md', text)
      await passed(20)
    }
    await listener.hears('a.md')
    await passed(400)
    expect(listener.batches()).toEqual([['a.md', 'b.md']])
  })

  test('costs one watch for a folder, however many files are in it', async () => {
    const { root, inRoot, put } = temporaryWorkspace({ 'a.md': 'A', 'memory/b.md': 'B', 'deep/er/c.md': 'C' })
    for (let index = 0; index < 1_000; index++) put(`${index}.log`, '')
    const paths = watchedPaths()
    const files = nodeFileSystem(root)
    await files.read(['a.md', 'memory/b.md', 'deep/er/c.md', 'deep/er/d.md'])
    const listener = listenTo(files)
    put('a.md', 'changed')
    put('deep/er/c.md', 'changed')
    await listener.hears('a.md', 'deep/er/c.md')
    expect(paths.sort()).toEqual([root, inRoot('deep/er'), inRoot('memory')].sort())
  })
})

test('at most 64 folders and 1,024 paths are kept', () => {
  const asked = askedPaths()
  const paths = Array.from({ length: 3_000 }, (_, index) => `${index % 200}/${index}.md`)
  asked.note(paths)
  asked.note(paths)
  expect([...asked.folders].slice(0, 4)).toEqual(['', 'memory', '0', '1'])
  expect(asked.folders.size).toBe(64)
  const kept = Array.from({ length: 200 }, (_, index) => asked.namesIn(String(index)).length)
  expect(kept.reduce((sum, count) => sum + count)).toBe(1_024)
  for (const name of ['a.md', 'b/a.JSONL', '.a.yml']) expect(canMatter(name)).toBe(true)
  for (const name of ['a', 'md', 'a.md~', '#a.md#', 'b/.#a.md', 'a.md/b']) expect(canMatter(name)).toBe(false)
})

describe('a folder', () => {
  test('deleted and created again', async () => {
    const { root, inRoot, put } = temporaryWorkspace({ 'a.md': 'A', 'memory/b.md': 'B', 'memory/c.md': 'C' })
    const files = nodeFileSystem(root)
    const listener = listenTo(files)
    await settled(listener)
    for (let round = 0; round < 2; round++) {
      fs.rmSync(inRoot('memory'), { recursive: true })
      put('memory/b.md', `again ${round}`)
      await listener.hears('memory/b.md', 'memory/c.md')
      await replaced(listener)
      put('memory/c.md', `later ${round}`)
      await listener.hears('memory/c.md')
      await replaced(listener)
    }
  })

  test('deleted and created again with the same number, on a disk that knows no time of birth', async () => {
    const { inRoot, root, put } = temporaryWorkspace({ 'memory/b.md': 'B' })
    withoutBirth()
    const listener = listenTo(nodeFileSystem(root))
    await settled(listener)
    fs.rmSync(inRoot('memory'), { recursive: true })
    put('memory/b.md', 'again')
    await replaced(listener)
    put('memory/c.md', 'C')
    await listener.hears('memory/c.md')
  })

  test('is another one when only its place, or the time of its birth, is another', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'memory/b.md': 'B' })
    const place = await locate(root, 'memory')
    const stat = place?.stat as fs.BigIntStats
    const other = (change: Partial<fs.BigIntStats>) => ({ root, real: inRoot('memory'), stat: { ...stat, ...change } })
    const bornLater = { birthtimeNs: stat.birthtimeNs + 1n }
    expect(samePlace(place, other({ ctimeNs: 1n, mtimeNs: 1n }) as typeof place)).toBe(true)
    expect(samePlace(place, other({ ctimeNs: 1n, ...bornLater }) as typeof place)).toBe(false)
    for (const change of [{ real: root }, { root: inRoot('memory') }]) {
      expect(samePlace(place, { ...(place as NonNullable<typeof place>), ...change })).toBe(false)
    }
    expect(samePlace(place, undefined)).toBe(false)
    expect(samePlace(undefined, undefined)).toBe(true)
  })

  test('renamed away, and another put in its place', async () => {
    const { folder, root, inRoot, put } = temporaryWorkspace({ 'memory/b.md': 'B', 'other/c.md': 'C' })
    const listener = listenTo(nodeFileSystem(root))
    await settled(listener)
    fs.renameSync(inRoot('memory'), `${folder}/away`)
    fs.renameSync(inRoot('other'), inRoot('memory'))
    await listener.hears('memory/b.md', 'memory/c.md')
    await replaced(listener)
    put('memory/d.md', 'new')
    await listener.hears('memory/d.md')
    await replaced(listener)
    fs.writeFileSync(`${folder}/away/b.md`, 'outside now')
    await passed(500)
    expect(listener.told()).toEqual([])
  })

  test('created later', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const listener = listenTo(nodeFileSystem(root))
    await settled(listener)
    put('memory/b.md', 'B')
    await listener.hears('memory/b.md')
    await replaced(listener)
    put('memory/b.md', 'changed')
    await listener.hears('memory/b.md')
  })

  test('asked for while the watch is on', async () => {
    const { root, put } = temporaryWorkspace({ 'notes/a.md': 'A' })
    const files = nodeFileSystem(root)
    const listener = listenTo(files)
    await settled(listener)
    await files.read(['notes/a.md'])
    put('notes/a.md', 'changed at once')
    await listener.hears('notes/a.md')
    await replaced(listener)
    put('notes/b.md', 'and later')
    await listener.hears('notes/b.md')
  })
})

describe('the root', () => {
  test('missing at first, with its parents', async () => {
    const { inRoot } = temporaryWorkspace()
    const root = inRoot('not/there/yet')
    const paths = watchedPaths()
    const listener = listenTo(nodeFileSystem(root))
    await passed(300)
    expect(paths).toEqual([])
    fs.mkdirSync(root, { recursive: true })
    fs.writeFileSync(join(root, 'a.md'), 'A')
    await listener.hears('a.md')
    await replaced(listener)
    fs.writeFileSync(join(root, 'a.md'), 'B')
    await listener.hears('a.md')
  })

  test('renamed with its parent, deleted, created again', async () => {
    const { folder, root, inRoot, put } = temporaryWorkspace({ 'work/a.md': 'A' })
    const listener = listenTo(nodeFileSystem(inRoot('work')))
    await settled(listener)
    fs.renameSync(root, `${folder}/away`)
    await listener.hears('a.md')
    await replaced(listener)
    put('work/b.md', 'B')
    await listener.hears('b.md')
    await replaced(listener)
    put('work/b.md', 'changed')
    await listener.hears('b.md')
  })

  test('a link that comes to lead elsewhere', async () => {
    const { folder, root } = temporaryWorkspace({ 'a.md': 'A' })
    fs.mkdirSync(`${folder}/next`)
    fs.writeFileSync(`${folder}/next/b.md`, 'B')
    fs.symlinkSync('root', `${folder}/current`)
    const listener = listenTo(nodeFileSystem(`${folder}/current`))
    await settled(listener)
    fs.writeFileSync(join(root, 'a.md'), 'changed')
    await listener.hears('a.md')
    fs.symlinkSync('next', `${folder}/swap`)
    fs.renameSync(`${folder}/swap`, `${folder}/current`)
    await listener.hears('a.md', 'b.md')
    await replaced(listener)
    fs.writeFileSync(`${folder}/next/b.md`, 'changed')
    await listener.hears('b.md')
    await replaced(listener)
    fs.writeFileSync(join(root, 'a.md'), 'no longer part of it')
    await passed(500)
    expect(listener.told()).toEqual([])
  })
})

describe('links', () => {
  test('inside: what they lead to is told of under their names', async () => {
    const { root, inRoot, put } = temporaryWorkspace({ 'kept/calm.md': 'A', 'notes/n.md': 'N' })
    fs.symlinkSync('kept/calm.md', inRoot('SOUL.md'))
    fs.symlinkSync('notes', inRoot('memory'))
    const listener = listenTo(nodeFileSystem(root))
    await settled(listener)
    put('kept/calm.md', 'changed')
    put('notes/n.md', 'changed')
    await listener.hears('SOUL.md', 'memory/n.md')
    fs.symlinkSync('kept/calm.md', inRoot('USER.md'))
    await listener.hears('USER.md')
    await replaced(listener)
    put('kept/calm.md', 'changed again')
    await listener.hears('SOUL.md', 'USER.md')
  })

  test('out of the root: nothing beyond them is watched or told of', async () => {
    const { folder, root, inRoot, beside } = temporaryWorkspace({ 'a.md': 'A' })
    const outside = beside('outside.md', 'O')
    fs.mkdirSync(`${folder}/notes`)
    fs.writeFileSync(`${folder}/notes/n.md`, 'N')
    fs.symlinkSync(outside, inRoot('SOUL.md'))
    fs.symlinkSync(`${folder}/notes`, inRoot('memory'))
    const paths = watchedPaths()
    const files = nodeFileSystem(root)
    await files.read(['SOUL.md', 'memory/n.md'])
    const listener = listenTo(files)
    await settled(listener)
    fs.writeFileSync(outside, 'changed')
    fs.writeFileSync(`${folder}/notes/n.md`, 'changed')
    await passed(1_500)
    expect(listener.told()).toEqual([])
    expect(paths).toEqual([root])
    fs.rmSync(inRoot('SOUL.md'))
    await listener.hears('SOUL.md')
  })
})

test.skipIf(process.platform === 'win32')('FIFOs and sockets hang nothing', async () => {
  const { root, inRoot, put } = temporaryWorkspace({ 'USER.md': 'A' })
  execFileSync('mkfifo', [inRoot('SOUL.md')])
  fs.symlinkSync('SOUL.md', inRoot('link.md'))
  const listener = listenTo(nodeFileSystem(root))
  await settled(listener)
  put('USER.md', 'changed')
  await listener.hears('USER.md')
  execFileSync('mkfifo', [inRoot('AGENTS.md')])
  await listener.hears('AGENTS.md')
})

describe('without the help of the system', () => {
  test('the folder is looked at once a second', async () => {
    const { root, put, inRoot } = temporaryWorkspace({ 'a.md': 'A', 'b.md': 'B', 'memory/c.md': 'C' })
    const files = boundedCache<FileReading>({ entries: 1, units: 1, unitsOf: () => 0 })
    const paths = watchedPaths()
    const listener = listenTo(watching({ name: 'polled', given: root, asked: askedPaths(), files, way: 'polling' }))
    put('a.md', 'changed at once')
    await listener.hears('a.md')
    await replaced(listener)
    put('a.md', 'changed')
    fs.rmSync(inRoot('b.md'))
    put('new.md', 'N')
    await listener.hears('a.md', 'b.md', 'new.md')
    await replaced(listener)
    fs.rmSync(inRoot('memory'), { recursive: true })
    put('memory/c.md', 'again')
    await listener.hears('memory/c.md')
    await replaced(listener)
    put('memory/c.md', 'and again')
    await listener.hears('memory/c.md')
    expect(paths).toEqual([])
  })

  test('what changes before the first of these looks is told', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const original = fs.watchFile
    const replace = (watchFile: unknown) => {
      Reflect.set(fs, 'watchFile', watchFile)
      syncBuiltinESMExports()
    }
    // The first look comes so late that it finds nothing but what is there already.
    replace(() => {})
    onTestFinished(() => replace(original))
    const files = boundedCache<FileReading>({ entries: 1, units: 1, unitsOf: () => 0 })
    const listener = listenTo(watching({ name: 'polled', given: root, asked: askedPaths(), files, way: 'polling' }))
    await listener.hears('a.md')
    listener.forget()
    put('a.md', 'changed')
    await listener.hears('a.md')
  })

  test.each(['ENOSPC', 'EMFILE', 'EPERM'])('%s is a warning, and changes are told of', async (code) => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A', 'memory/b.md': 'B' })
    const warned = warnings()
    watchedPaths((path) => {
      if (path === root) throw Object.assign(new Error(`${code}: no more watches`), { code })
    })
    const listener = listenTo(nodeFileSystem(root))
    put('a.md', 'changed at once')
    await listener.hears('a.md')
    await replaced(listener)
    put('a.md', 'changed')
    put('memory/b.md', 'changed')
    await listener.hears('a.md', 'memory/b.md')
    expect(warned.map(({ message }) => message)).toEqual([
      `The system does not tell of changes in the workspace, which is looked at once a second instead (node:${root}).`,
    ])
    expect(warned[0]).toMatchObject({ name: 'SoulpromptWarning', detail: expect.stringContaining(code) })
  })
})

describe('listeners', () => {
  test('are told one without the other, and one that fails is a warning', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const warned = warnings()
    const files = nodeFileSystem(root)
    let thrown = 0
    const stops = [
      files.watch(() => {
        thrown++
        throw new Error('listener broke')
      }),
      files.watch(() => Promise.reject(new Error('listener broke later')) as unknown as undefined),
    ]
    const listener = listenTo(files)
    const other = listenTo(files)
    put('a.md', 'B')
    await listener.hears('a.md')
    await other.hears('a.md')
    await settled(listener)
    other.stop()
    other.forget()
    const before = thrown
    put('a.md', 'C')
    await listener.hears('a.md')
    expect(thrown).toBe(before + 1)
    expect(other.batches()).toEqual([])
    for (const stop of stops) stop()
    await waitFor(() => expect(warned).toHaveLength(2 * thrown))
    expect(warned[0]).toMatchObject({ message: `A listener that watches node:${root} failed.` })
    expect(warned.map((warning) => Reflect.get(warning, 'detail')).join('\n')).toMatch(/broke[\s\S]*broke later/)
  })

  test('of one function are two, each with a stop of its own', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const files = nodeFileSystem(root)
    await files.read(['a.md'])
    let calls = 0
    const count = () => void calls++
    const stops = [files.watch(count), files.watch(count)] as const
    put('a.md', 'B')
    await waitFor(() => expect(calls).toBe(2))
    stops[0]()
    stops[0]()
    put('a.md', 'C')
    await waitFor(() => expect(calls).toBe(3))
    stops[1]()
  })

  test('are not told any more by one that stops them', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const files = nodeFileSystem(root)
    let calls = 0
    let stopSecond = () => {}
    const stopFirst = files.watch(() => stopSecond())
    stopSecond = files.watch(() => void calls++)
    const last = listenTo(files)
    put('a.md', 'B')
    await last.hears('a.md')
    expect(calls).toBe(0)
    stopFirst()
  })

  test('must be functions', () => {
    const files = nodeFileSystem(temporaryWorkspace().root)
    const listener = 'x' as unknown as () => void
    expect(() => files.watch(listener)).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })
})

describe('the end', () => {
  test('stop: nothing more, also before it has begun, and twice', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A' })
    const files = nodeFileSystem(root)
    const early = listenTo(files)
    put('a.md', 'B')
    early.stop()
    early.stop()
    const late = listenTo(files)
    await settled(late)
    put('a.md', 'C')
    await passed(30)
    late.stop()
    const after = listenTo(files)
    put('a.md', 'D')
    await after.hears('a.md')
    expect([early.batches(), late.batches()]).toEqual([[], []])
  })

  test('close: no watch is left, reading goes on, and so may watching', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'A', 'memory/b.md': 'B' })
    const before = watchesHeld()
    const files = nodeFileSystem(root)
    const listeners = [listenTo(files), listenTo(files)]
    await settled(listeners[0] as ReturnType<typeof listenTo>)
    listeners[1]?.forget()
    if (process.platform === 'linux') expect(watchesHeld()).toBe(before + 2)
    put('a.md', 'B')
    await passed(30)
    await files.close()
    await files.close()
    expect(watchesHeld()).toBe(before)
    await passed(300)
    expect(listeners.map(({ batches }) => batches())).toEqual([[], []])
    expect((await present(files, 'a.md')).text).toBe('B')

    const again = listenTo(files)
    put('a.md', 'C')
    await again.hears('a.md')
    const closing = files.close()
    const meanwhile = listenTo(files)
    await closing
    put('a.md', 'D')
    await meanwhile.hears('a.md')
    meanwhile.stop()
    await files.close()
    expect(watchesHeld()).toBe(before)
  })

  test('close before the watch has begun', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'A' })
    const before = watchesHeld()
    const files = nodeFileSystem(root)
    const listener = listenTo(files)
    await files.close()
    expect(watchesHeld()).toBe(before)
    await passed(200)
    expect([watchesHeld(), listener.batches()]).toEqual([before, []])
  })

  test('a process that only watches ends by itself, also under a stream of saves', async () => {
    const { folder, root, inRoot, put } = temporaryWorkspace({ 'a.md': 'A', 'memory/b.md': 'B' })
    fs.symlinkSync('a.md', inRoot('link.md'))
    const entry = compiledAdapter(folder)
    await startScript(
      `const fs = require('fs'); console.log('started')
       setInterval(() => fs.appendFileSync(process.argv[1], 'x'), 2)`,
      inRoot('a.md'),
    )
    const watch = `
      const [entry, root, ms] = process.argv.slice(1)
      const { nodeFileSystem } = await import(entry)
      let told = 0
      nodeFileSystem(root).watch(() => told++)
      await new Promise((resolve) => setTimeout(resolve, Number(ms)))
      process.on('exit', () => console.log(told > 0))`
    for (const [ms, told] of [
      ['0', 'false'],
      ['2500', 'true'],
    ] as const) {
      put('memory/b.md', ms)
      const args = ['--input-type=module', '-e', watch, entry, root, ms]
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000 })
      expect([status, stdout.trim(), stderr]).toEqual([0, told, ''])
    }
  })
})

/** Every folder has one number, and is as old as its last change. */
function withoutBirth(): void {
  const original = fs.promises.lstat
  const replace = (lstat: unknown) => {
    Reflect.set(fs.promises, 'lstat', lstat)
    syncBuiltinESMExports()
  }
  replace(async (path: string, options: { readonly bigint: true }) => {
    const stat = await original(path, options)
    return stat.isDirectory() ? Object.assign(stat, { ino: 1n, birthtimeNs: stat.ctimeNs }) : stat
  })
  onTestFinished(() => replace(original))
}

/** What this process has the system watch; 0 where it does not say. */
function watchesHeld(): number {
  if (process.platform !== 'linux') return 0
  const infos = fs.readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
    } catch {
      return ''
    }
  })
  return infos.join('\n').match(/^inotify wd:/gm)?.length ?? 0
}
