import fc from 'fast-check'
import { memoryFileSystem, overlayFileSystem, PromptError } from 'soulprompt'
import { describe, expect, expectTypeOf, it, test } from 'vitest'
import type { FileSnapshot, FileSystem } from '../../src/ports/file-system.js'
import { empty, failure, fates, present, twoRoots } from './stores.js'

describe('writing', () => {
  const roots = () => twoRoots({ 'own.md': 'own', 'both.md': 'own' }, { 'both.md': 'shared', 'shared.md': 'shared' })
  const sharedTexts = (second: FileSystem) => fates(second, 'own.md', 'both.md', 'shared.md')

  it('is there if the first root can, whatever the others can', () => {
    const { name, read } = memoryFileSystem()
    const readOnly = overlayFileSystem([{ name, read }, memoryFileSystem()])
    expect([readOnly.write, readOnly.append, readOnly.remove]).toEqual([undefined, undefined, undefined])
    const writing = overlayFileSystem([memoryFileSystem(), { name, read }])
    expect([typeof writing.write, typeof writing.append, typeof writing.remove]).toEqual(Array(3).fill('function'))
  })

  it('can by its type what the first root can by its', async () => {
    const first = memoryFileSystem()
    const other: FileSystem = memoryFileSystem()
    const files = overlayFileSystem([first, other])
    expectTypeOf(files).toExtend<FileSystem>()
    await files.write('a.md', 'A')
    await files.append('a.md', 'B')
    await files.remove('a.md')
    await overlayFileSystem([first, first]).write('a.md', 'A')
    await files.close()
    const lower = overlayFileSystem([other, first])
    expectTypeOf<undefined>().toExtend<typeof lower.write>()
    // @ts-expect-error the first root need not be able to write
    await lower.write('a.md', 'A')
    const list: readonly FileSystem[] = [other]
    expectTypeOf(overlayFileSystem(list).write).toEqualTypeOf<FileSystem['write']>()
  })

  it('takes null for no options', async () => {
    const { files, first } = roots()
    await files.write?.('own.md', 'new', null as never)
    expect(await fates(first, 'own.md')).toEqual(['new'])
    await files.remove?.('own.md', null as never)
    expect(await fates(first, 'own.md')).toEqual(['missing'])
  })

  it('goes to the first root whatever is there, without ifVersion', async () => {
    const { files, first, second } = roots()
    const written = await files.write?.('shared.md', 'mine')
    expect(written).toBe(await present(files, 'shared.md'))
    expect(written?.version).toMatch(/^0:[0-9a-f]{64}$/)
    expect(await fates(first, 'shared.md')).toEqual(['mine'])
    expect(await sharedTexts(second)).toEqual(['missing', 'shared', 'shared'])
  })

  it('creates with null what is in no root', async () => {
    const { files, second } = roots()
    for (const path of ['own.md', 'both.md', 'shared.md', './shared.md']) {
      const { version } = await present(files, path)
      const error = await failure(files.write?.(path, 'x', { ifVersion: null }))
      expect(error).toBeInstanceOf(PromptError)
      const named = path.replace('./', '')
      expect(error).toMatchObject({ code: 'conflict', data: { path: named, expected: null, current: version } })
    }
    await files.write?.('new.md', 'new', { ifVersion: null })
    expect(await fates(files, 'own.md', 'both.md', 'shared.md', 'new.md')).toEqual(['own', 'own', 'shared', 'new'])
    expect(await sharedTexts(second)).toEqual(['missing', 'shared', 'shared'])
  })

  it('on a version of a lower root creates the file in the first, which from then on shows', async () => {
    const { files, first, second } = roots()
    const { version } = await present(files, 'shared.md')
    expect(version).toMatch(/^1:/)
    const written = await files.write?.('shared.md', 'mine', { ifVersion: version })
    expect(written?.version).toMatch(/^0:/)
    expect(await fates(first, 'shared.md')).toEqual(['mine'])
    expect(await sharedTexts(second)).toEqual(['missing', 'shared', 'shared'])
    const again = await failure(files.write?.('shared.md', 'late', { ifVersion: version }))
    expect(again).toMatchObject({ code: 'conflict', data: { expected: version, current: written?.version } })
  })

  it('on a version of a lower root that has changed or gone conflicts with what shows', async () => {
    const { files, first, second } = roots()
    const { version } = await present(files, 'shared.md')
    await second.write('shared.md', 'changed')
    const { version: current } = await present(files, 'shared.md')
    expect(await failure(files.write?.('shared.md', 'x', { ifVersion: version }))).toMatchObject({
      data: { path: 'shared.md', expected: version, current },
      message: `shared.md was to be at version ${version}, and ${current === null ? 'is not there' : `is at version ${current}`}.`,
    })
    await second.remove('shared.md')
    expect(await failure(files.write?.('shared.md', 'x', { ifVersion: version }))).toMatchObject({
      data: { expected: version, current: null },
    })
    expect(await fates(first, 'shared.md')).toEqual(['missing'])
  })

  it('on a version of the first root says what shows when that has lost the file', async () => {
    const { files, first, second } = roots()
    const { version } = await present(files, 'both.md')
    await first.remove('both.md')
    const { version: below } = await present(files, 'both.md')
    expect(below).toMatch(/^1:/)
    const error = await failure(files.write?.('both.md', 'x', { ifVersion: version }))
    expect(error).toMatchObject({ code: 'conflict', data: { path: 'both.md', expected: version, current: below } })
    expect((error as Error).cause).toMatchObject({ code: 'conflict', data: { current: null } })
    await second.remove('both.md')
    expect(await failure(files.write?.('both.md', 'x', { ifVersion: version }))).toMatchObject({
      data: { current: null },
    })
  })

  it.each(['', 'abc', ':', '2:x', '00:x', ' 0:x', '-1:x'])(
    'a version %j that is none is a conflict',
    async (version) => {
      const { files, first } = roots()
      const { version: current } = await present(files, 'own.md')
      const conflict = { code: 'conflict', data: { path: 'own.md', expected: version, current } }
      expect(await failure(files.write?.('own.md', 'x', { ifVersion: version }))).toMatchObject(conflict)
      expect(await failure(files.remove?.('own.md', { ifVersion: version }))).toMatchObject(conflict)
      expect(await fates(first, 'own.md')).toEqual(['own'])
    },
  )

  it('takes a conflict for one that a store brings in a class of its own', async () => {
    class StoreError extends Error {
      readonly code = 'conflict'
      readonly data = { path: 'a.md', expected: 'x', current: 'y' }
    }
    const store: FileSystem = { ...empty, write: () => Promise.reject(new StoreError('no')) }
    const error = await failure(overlayFileSystem([store]).write?.('a.md', 'x', { ifVersion: '0:x' }))
    expect(error).toBeInstanceOf(PromptError)
    expect(error).toMatchObject({ code: 'conflict', data: { path: 'a.md', expected: '0:x', current: '0:y' } })
  })

  it('lets one win of several writes on the same version of a lower root', async () => {
    for (let round = 0; round < 20; round++) {
      const { files } = roots()
      const { version } = await present(files, 'shared.md')
      const texts = ['one', 'two'.repeat(round), 'three']
      const outcomes = await Promise.allSettled(
        texts.map((text) => files.write?.('shared.md', text, { ifVersion: version })),
      )
      const won = texts.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      expect(won).toHaveLength(1)
      expect(await fates(files, 'shared.md')).toEqual(won)
    }
  })

  it('does not compare with what it cannot read', async () => {
    const first = memoryFileSystem()
    const cause = new Error('down')
    const files = overlayFileSystem([first, { name: 'shared', read: () => Promise.reject(cause) }])
    for (const ifVersion of [null, '1:x']) {
      const error = await failure(files.write?.('a.md', 'x', { ifVersion }))
      expect(error).toMatchObject({ code: 'io', cause, data: { path: 'a.md' } })
      expect((error as Error).message).toContain('shared failed: down')
    }
    expect(await failure(files.write?.('../a', 'x', { ifVersion: null }))).toMatchObject({ code: 'outside-root' })
    expect(await fates(first, 'a.md')).toEqual(['missing'])
  })

  it('hands on what else the first root throws, and its nonsense is an error', async () => {
    const full: FileSystem = { ...empty, write: () => Promise.reject(new Error('disk full')) }
    const shared = memoryFileSystem({ 'a.md': 'A' })
    const files = overlayFileSystem([full, shared])
    const { version } = await present(files, 'a.md')
    for (const options of [{}, { ifVersion: version }]) {
      expect(await failure(files.write?.('a.md', 'x', options))).toMatchObject({ message: 'disk full' })
    }
    expect(await fates(shared, 'a.md')).toEqual(['A'])
    const silent = overlayFileSystem([{ ...empty, write: async () => undefined as never }])
    expect(await failure(silent.write?.('a.md', 'x'))).toMatchObject({
      code: 'io',
      message: 'empty was to answer the writing of a.md with its snapshot and gave undefined.',
    })
  })
})

describe('appending', () => {
  it('copies a file of a lower root up, and adds to that', async () => {
    const { files, first, second } = twoRoots({ 'own.md': 'a' }, { 'shared.md': 'a', 'own.md': 'z' })
    for (const path of ['own.md', 'shared.md', 'new.md', 'shared.md']) await files.append?.(path, 'b')
    expect(await fates(first, 'own.md', 'shared.md', 'new.md')).toEqual(['ab', 'abb', 'b'])
    expect(await fates(second, 'own.md', 'shared.md', 'new.md')).toEqual(['z', 'a', 'missing'])
  })

  it('adds to what somebody else created meanwhile', async () => {
    const first = memoryFileSystem()
    const write: FileSystem['write'] = async (path, text, options) => {
      await first.write(path, 'theirs ')
      return first.write(path, text, options)
    }
    const files = overlayFileSystem([{ ...first, write }, memoryFileSystem({ 'a.md': 'shared ' })])
    await files.append?.('a.md', 'mine')
    expect(await fates(first, 'a.md')).toEqual(['theirs mine'])
  })

  it('loses none of several appends at once', async () => {
    const { files } = twoRoots({}, { 'log.md': '0' })
    await Promise.all([1, 2, 3, 4, 5].map((number) => files.append?.('log.md', `${number}`)))
    expect([...(await present(files, 'log.md')).text].sort().join('')).toBe('012345')
  })

  it.each([
    [{ lossy: true }, 'bytes that are no valid text'],
    [{ gap: { at: 1 }, length: 99 }, 'only its two ends'],
    [{ stale: true }, 'an older one'],
  ])('never copies a text that is not the file: %j', async (flaw, why) => {
    const first = memoryFileSystem({}, { name: 'own' })
    const lower: FileSystem = {
      name: 'shared',
      read: async (paths) =>
        paths.map((path) => ({ state: 'present', path, text: 'ab', length: 2, version: 'v', ...flaw }) as FileSnapshot),
    }
    const error = await failure(overlayFileSystem([first, lower]).append?.('a.md', 'x'))
    expect(error).toMatchObject({ code: 'io', data: { path: 'a.md' } })
    expect((error as Error).message).toContain('a.md of shared cannot be copied to own')
    expect((error as Error).message).toContain(why)
    expect(await fates(first, 'a.md')).toEqual(['missing'])
  })

  it('says so where it must copy what it cannot read or cannot write', async () => {
    const first = memoryFileSystem({}, { name: 'own' })
    const down = overlayFileSystem([first, { name: 'shared', read: () => Promise.reject(new Error('down')) }])
    expect(await failure(down.append?.('a.md', 'x'))).toMatchObject({ code: 'io' })
    const { write, ...appending } = first
    const files = overlayFileSystem([appending, memoryFileSystem({ 'a.md': 'A' })])
    expect(await failure(files.append?.('a.md', 'x'))).toMatchObject({
      code: 'capability-missing',
      message: expect.stringContaining('own cannot write'),
    })
    expect(await fates(first, 'a.md')).toEqual(['missing'])
    await files.append?.('b.md', 'x')
    expect(await fates(first, 'b.md')).toEqual(['x'])
  })

  it('hands on what the first root throws while copying', async () => {
    const full: FileSystem = { ...memoryFileSystem(), write: () => Promise.reject(new Error('disk full')) }
    const files = overlayFileSystem([full, memoryFileSystem({ 'a.md': 'A' })])
    expect(await failure(files.append?.('a.md', 'x'))).toMatchObject({ message: 'disk full' })
    expect(await fates(full, 'a.md')).toEqual(['missing'])
  })
})

describe('removing', () => {
  it('touches the first root alone, and a lower file shows again', async () => {
    const { files, second } = twoRoots({ 'a.md': 'own', 'b.md': 'own' }, { 'a.md': 'shared', 'c.md': 'shared' })
    for (const path of ['a.md', 'b.md', 'c.md', 'none.md']) await files.remove?.(path)
    expect(await fates(files, 'a.md', 'b.md', 'c.md')).toEqual(['shared', 'missing', 'shared'])
    expect(await fates(second, 'a.md', 'c.md')).toEqual(['shared', 'shared'])
  })

  it('removes one version of the first root, and refuses those of lower ones', async () => {
    const { files, first, second } = twoRoots({ 'a.md': 'own' }, { 'a.md': 'shared', 'b.md': 'shared' })
    const own = await present(files, 'a.md')
    await first.write('a.md', 'changed')
    const changed = await present(files, 'a.md')
    const late = await failure(files.remove?.('a.md', { ifVersion: own.version }))
    expect(late).toMatchObject({
      code: 'conflict',
      data: { path: 'a.md', expected: own.version, current: changed.version },
    })
    await files.remove?.('a.md', { ifVersion: changed.version })
    const below = await present(files, 'a.md')
    const gone = await failure(files.remove?.('a.md', { ifVersion: changed.version }))
    expect(gone).toMatchObject({ code: 'conflict', data: { expected: changed.version, current: below.version } })
    expect(await failure(files.remove?.('a.md', { ifVersion: below.version }))).toMatchObject({
      code: 'capability-missing',
      message: expect.stringContaining('it lies in shared, and of an overlay only its first root, own, is written'),
    })
    expect(await fates(second, 'a.md', 'b.md')).toEqual(['shared', 'shared'])
  })
})

test('of any three roots each file is that of the first one that has it, and writes reach the first alone', async () => {
  const path = fc.constantFrom('a.md', 'b.md', 'c.md', 'memory/d.md')
  const texts = fc.dictionary(path, fc.string({ maxLength: 4 }))
  await fc.assert(
    fc.asyncProperty(fc.tuple(texts, texts, texts), path, fc.string(), async (all, written, text) => {
      const roots = all.map((one) => memoryFileSystem(one))
      const files = overlayFileSystem(roots)
      const paths = ['a.md', 'b.md', 'c.md', 'memory/d.md']
      const expected = paths.map((one) => all.find((root) => Object.hasOwn(root, one))?.[one] ?? 'missing')
      expect(await fates(files, ...paths)).toEqual(expected)

      const [before] = await files.read([written])
      const base = before?.state === 'present' ? before.version : null
      const snapshot = await files.write?.(written, text, { ifVersion: base })
      expect((await files.read([written]))[0]).toBe(snapshot)
      for (const [index, root] of roots.entries()) {
        if (index > 0) expect(await fates(root, ...paths)).toEqual(paths.map((one) => all[index]?.[one] ?? 'missing'))
      }
    }),
  )
})
