import { expect, test } from 'vitest'
import { fileSystemSuite } from '../../../src/adapters/testing/index.js'
import type { FileSystem } from '../../../src/ports/file-system.js'
import { conflict } from '../../../src/workspace/conflict.js'
import { memoryFileSystem } from '../../../src/workspace/memory-file-system.js'

type Memory = ReturnType<typeof memoryFileSystem>
type Broken = Partial<Pick<FileSystem, 'read' | 'write' | 'append'>>

const later = () => new Promise((resolve) => setImmediate(resolve))

/** A store that changes each text on its way in. */
const changing =
  (change: (text: string) => string) =>
  (files: Memory): Broken => ({ write: (path, text, options) => files.write(path, change(text), options) })

async function versionIn(files: Memory, path: string): Promise<string | null> {
  const [reading] = await files.read([path])
  return reading?.state === 'present' ? reading.version : null
}

/** The comparison and the change apart, so that others come between them. */
const comparingFirst =
  (compares: (ifVersion: string | null | undefined) => boolean) =>
  (files: Memory): Broken => ({
    async write(path, text, { ifVersion } = {}) {
      if (!compares(ifVersion)) return files.write(path, text, ifVersion === undefined ? {} : { ifVersion })
      const current = await versionIn(files, path)
      if (ifVersion !== undefined && current !== ifVersion) throw conflict(path, ifVersion, current)
      await later()
      return files.write(path, text)
    },
  })

const withVersions =
  (versionOf: (text: string) => string) =>
  (files: Memory): Broken => ({
    async read(paths) {
      const readings = await files.read(paths)
      return readings.map((one) => (one.state === 'present' ? { ...one, version: versionOf(one.text) } : one))
    },
    async write(path, text) {
      return { ...(await files.write(path, text)), version: versionOf(text) }
    },
  })

const flaws: readonly (readonly [string, RegExp, (files: Memory) => Broken])[] = [
  ['a comparison that is not one step with the write', /^lets one of several writes on/m, comparingFirst(() => true)],
  ['an update that is lost', /^loses no edit of 5 writers/m, comparingFirst(() => true)],
  [
    'a file that several create',
    /^lets one of several writes create a file/m,
    comparingFirst((version) => version === null),
  ],
  [
    'a conflict that names another version than there is',
    /^lets one of several writes on/m,
    (files) => ({
      write: (path, text, options) =>
        files.write(path, text, options).catch(() => {
          throw conflict(path, options?.ifVersion ?? null, 'long ago')
        }),
    }),
  ],
  [
    'an append that reads and writes',
    /^loses no text of several appends/m,
    (files) => ({
      async append(path, text) {
        const [reading] = await files.read([path])
        await later()
        await files.write(path, (reading?.state === 'present' ? reading.text : '') + text)
      },
    }),
  ],
  [
    'an append in two pieces',
    /^loses no text of several appends/m,
    (files) => ({
      async append(path, text) {
        await files.append(path, text.slice(0, 512))
        await later()
        await files.append(path, text.slice(512))
      },
    }),
  ],
  ['newlines made alike', /^writes newlines of every kind/m, changing((text) => text.replace(/\r\n?/g, '\n'))],
  ['a newline added at the end', /^writes newlines of every kind/m, changing((text) => `${text}\n`)],
  ['a byte order mark taken off', /^writes a byte order mark/m, changing((text) => text.replace(/^\ufeff/, ''))],
  ['composed characters', /^writes text beyond the basic plane/m, changing((text) => text.normalize('NFC'))],
  ['only the first 64 Ki units', /^writes a text of 200 KB/m, changing((text) => text.slice(0, 2 ** 16))],
  ['NUL left out', /^refuses a text that holds NUL/m, changing((text) => text.replaceAll('\0', ''))],
  ['half a pair replaced', /^refuses a text that holds half of/m, changing((text) => text.toWellFormed())],
  [
    'a refusal without a code',
    /^refuses a text that holds NUL/m,
    (files) => ({
      async write(path, text, options) {
        if (text.includes('\0')) throw new Error('no')
        return files.write(path, text, options)
      },
    }),
  ],
  [
    'a refusal that has written already',
    /^refuses a text that holds NUL/m,
    (files) => ({
      async write(path, text, options) {
        const written = await files.write(path, text, options)
        if (text.includes('\0')) throw conflict(path, null, null)
        return written
      },
    }),
  ],
  ['a version of two texts', /^gives a text that is written again/m, withVersions((text) => String(text.length))],
  [
    'a version that counts',
    /^gives a text that is written again/m,
    () => {
      let count = 0
      let [path, last, version] = ['', '', '']
      return {
        async read(paths) {
          return paths.map(() => ({ state: 'present', path, text: last, length: last.length, version }))
        },
        async write(...[name, text]) {
          path = name
          last = text
          version = String(count++)
          return { state: 'present', path, text, length: text.length, version }
        },
      }
    },
  ],
]

test.each(flaws)('the suite notices %s', async (_, expected, broken) => {
  const suite = fileSystemSuite((texts) => {
    const files = memoryFileSystem(texts)
    const put = async (path: string, text: string) => void (await files.write(path, text))
    return { files: { ...files, ...broken(files) }, put, drop: (path) => files.remove(path) }
  })
  const failed: string[] = []
  await Promise.all(suite.map(({ name, run }) => run().catch(() => void failed.push(name))))
  expect(failed.join('\n')).toMatch(expected)
})
