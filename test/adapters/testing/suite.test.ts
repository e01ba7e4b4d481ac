import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { createNodeFileSystem } from '../../../src/adapters/node/node-file-system.js'
import { type FileSystemUnderTest, fileSystemSuite } from '../../../src/adapters/testing/index.js'
import type { FileSystem } from '../../../src/ports/file-system.js'
import { memoryFileSystem } from '../../../src/workspace/memory-file-system.js'
import { overlayFileSystem } from '../../../src/workspace/overlay-file-system.js'
import { pinFiles } from '../../../src/workspace/pin-files.js'

type Texts = Readonly<Record<string, string>>

async function onDisk(texts: Texts, over: (root: string) => FileSystem): Promise<FileSystemUnderTest> {
  const root = await mkdtemp(join(tmpdir(), 'suite-'))
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const [path, text] of Object.entries(texts)) await put(path, text)
  return {
    files: over(root),
    put,
    drop: (path) => rm(join(root, path)),
    dispose: () => rm(root, { recursive: true }),
  }
}

function inMemory(texts: Texts): FileSystemUnderTest {
  const files = memoryFileSystem(texts)
  return {
    files,
    put: async (path, text) => void (await files.write(path, text)),
    drop: (path) => files.remove(path),
  }
}

/** All files lie in the first root, and the store changes there. */
function overlaid(own: FileSystemUnderTest, shared: FileSystemUnderTest): FileSystemUnderTest {
  return { ...together(own, shared), files: overlayFileSystem([own.files, shared.files]) }
}

/**
 * All files lie in the shared root, and the store changes where a file shows. The overlay has no `remove` here: a lower
 * file cannot be removed through it, which is no breach of the contract only for a store that removes nothing.
 */
function overlaidFromBelow(own: FileSystemUnderTest, shared: FileSystemUnderTest): FileSystemUnderTest {
  const { remove: _, ...first } = own.files
  const has = async ({ files }: FileSystemUnderTest, path: string) => {
    const [reading] = await files.read([path])
    return reading?.state === 'present'
  }
  return {
    ...together(own, shared),
    files: overlayFileSystem([first, shared.files]),
    put: async (path, text) => ((await has(own, path)) ? own : shared).put(path, text),
    async drop(path) {
      for (const root of [own, shared]) if (await has(root, path)) await root.drop(path)
    },
  }
}

function together(own: FileSystemUnderTest, shared: FileSystemUnderTest): FileSystemUnderTest {
  const dispose = async () => {
    await own.dispose?.()
    await shared.dispose?.()
  }
  return { ...own, dispose }
}

/** What is done behind its back it is told of, as a host does. */
function pinned({ files, put, drop, dispose }: FileSystemUnderTest): FileSystemUnderTest {
  const pins = pinFiles(files)
  return {
    files: pins,
    async put(path, text) {
      await put(path, text)
      pins.refresh([path])
    },
    async drop(path) {
      await drop(path)
      pins.refresh([path])
    },
    ...(dispose !== undefined && { dispose }),
  }
}

const onNode = (texts: Texts) => onDisk(texts, (root) => nodeFileSystem(root))

const stores: Readonly<Record<string, (texts: Texts) => FileSystemUnderTest | Promise<FileSystemUnderTest>>> = {
  memory: inMemory,
  'node, sync': (texts) => onDisk(texts, (root) => nodeFileSystem(root, { io: 'sync' })),
  'node, async': (texts) => onDisk(texts, (root) => nodeFileSystem(root, { io: 'async' })),
  'node, auto': (texts) => onDisk(texts, (root) => nodeFileSystem(root)),
  'node, confirmed by path': (texts) => onDisk(texts, (root) => createNodeFileSystem(root, { io: 'sync' }, 'path')),
  'overlay of memory': (texts) => overlaid(inMemory(texts), inMemory({})),
  'overlay of memory, from below': (texts) => overlaidFromBelow(inMemory({}), inMemory(texts)),
  'overlay on disk': async (texts) => overlaid(await onNode(texts), await onNode({})),
  'overlay on disk, from below': async (texts) => overlaidFromBelow(await onNode({}), await onNode(texts)),
  pinned: (texts) => pinned(inMemory(texts)),
  'pinned on disk': async (texts) => pinned(await onNode(texts)),
  'pinned overlay': (texts) => pinned(overlaid(inMemory(texts), inMemory({}))),
}

for (const [name, create] of Object.entries(stores)) {
  describe(name, () => {
    for (const { name, run } of fileSystemSuite(create)) test(name, run)
  })
}

const capabilities = ['list', 'write', 'append', 'remove', 'watch'] as const

// A case about what a store lacks ends without checking anything, so nothing may be lacking unsaid.
test.each([
  ['overlay of memory', 'memory', []],
  ['overlay of memory, from below', 'memory', ['remove']],
  ['overlay on disk', 'node, auto', []],
  ['overlay on disk, from below', 'node, auto', ['remove']],
  ['pinned', 'memory', []],
  ['pinned on disk', 'node, auto', []],
  ['pinned overlay', 'memory', []],
])('%s has the capabilities of %s but %j', async (name, below, lacking) => {
  const capabilitiesOf = async (store: string) => {
    const { files, dispose } = (await stores[store]?.({})) ?? assert.fail(`no store ${store}`)
    await dispose?.()
    return capabilities.filter((capability) => files[capability] !== undefined)
  }
  const expected = (await capabilitiesOf(below)).filter((capability) => !lacking.includes(capability))
  expect(await capabilitiesOf(name)).toEqual(expected)
})

/** Runs the suite over the memory store with one thing broken, and names the cases that notice. */
async function failuresOf(broken: (files: ReturnType<typeof memoryFileSystem>) => Partial<FileSystem>) {
  const failed: string[] = []
  const suite = fileSystemSuite((texts) => {
    const store = inMemory(texts)
    const files = store.files as ReturnType<typeof memoryFileSystem>
    return { ...store, files: { ...files, ...broken(files) } }
  })
  for (const { name, run } of suite) await run().catch(() => failed.push(name))
  return failed.join('\n')
}

describe('the suite notices', () => {
  const flaws: Readonly<Record<string, [RegExp, (files: ReturnType<typeof memoryFileSystem>) => Partial<FileSystem>]>> =
    {
      'answers in another order': [
        /in the order/,
        (files) => ({ read: async (paths) => [...(await files.read(paths))].reverse() }),
      ],
      'a missing file that throws': [
        /missing/,
        (files) => ({
          async read(paths) {
            const readings = await files.read(paths)
            assert.ok(readings.every(({ state }) => state !== 'missing'))
            return readings
          },
        }),
      ],
      'a byte order mark taken off': [
        /byte order mark/,
        (files) => ({
          async read(paths) {
            const readings = await files.read(paths)
            return readings.map((reading) =>
              reading.state === 'present' ? { ...reading, text: reading.text.replace('\ufeff', '') } : reading,
            )
          },
        }),
      ],
      'versions that are times': [
        /equal versions to equal contents/,
        (files) => {
          let count = 0
          return {
            async read(paths) {
              const readings = await files.read(paths)
              return readings.map((reading) =>
                reading.state === 'present' ? { ...reading, version: String(count++) } : reading,
              )
            },
          }
        },
      ],
      'a cache that trusts sizes': [
        /100 changes/,
        (files) => {
          const known = new Map<string, Awaited<ReturnType<FileSystem['read']>>[number]>()
          return {
            async read(paths) {
              const readings = await files.read(paths)
              return readings.map((reading) => {
                const key = reading.state === 'present' ? `${reading.path} ${reading.length}` : reading.path
                known.set(key, known.get(key) ?? reading)
                return known.get(key) ?? reading
              })
            },
          }
        },
      ],
      'long texts given whole': [
        /two ends/,
        (files) => ({
          async read(paths) {
            const readings = await files.read(paths)
            return readings.map((reading) => (reading.state === 'present' ? { ...reading, gap: undefined } : reading))
          },
        }),
      ],
      'a listing of all levels': [
        /one level/,
        (files) => ({ list: async (directory) => [...(await files.list(directory)), 'old/c.md'] }),
      ],
      'a write that compares nothing': [
        /on the version it is given/,
        (files) => ({ write: (path, text) => files.write(path, text) }),
      ],
      'a conflict that says nothing': [
        /only then/,
        (files) => ({
          write: (path, text, options) =>
            files.write(path, text, options).catch(() => {
              throw new Error('conflict')
            }),
        }),
      ],
      'an append that replaces': [
        /appends/,
        (files) => ({ append: async (path, text) => void files.write(path, text) }),
      ],
      'a remove that does nothing': [/removes/, () => ({ remove: async () => {} })],
    }
  for (const [name, [expected, broken]] of Object.entries(flaws)) {
    test(name, async () => {
      expect(await failuresOf(broken)).toMatch(expected)
    })
  }
})

test('capabilities that are absent are left out, and every store is disposed of', async () => {
  let made = 0
  let disposed = 0
  const suite = fileSystemSuite((texts) => {
    const { files, ...rest } = inMemory(texts)
    made++
    return { ...rest, files: { name: files.name, read: files.read }, dispose: () => void disposed++ }
  })
  for (const { run } of suite) await run()
  expect(made).toBe(suite.length)
  expect(disposed).toBe(made)
})

test('every case has a name of its own', () => {
  const names = fileSystemSuite(inMemory).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
