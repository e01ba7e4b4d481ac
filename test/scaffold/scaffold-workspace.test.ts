import fc from 'fast-check'
import { type FileSystem, memoryFileSystem, PromptError, scaffoldWorkspace } from 'soulprompt'
import { describe, expect, it, vi } from 'vitest'
import { templatePaths } from '../../src/scaffold/template-paths.js'
import { templates as en } from '../../src/scaffold/templates/en.js'
import { templates as zhCN } from '../../src/scaffold/templates/zh-CN.js'

const withoutSoul = templatePaths.filter((path) => path !== 'SOUL.md')

async function textsIn(files: FileSystem): Promise<Record<string, string>> {
  const readings = await files.read([...templatePaths, 'MEMORY.md', 'memory.md'])
  return Object.fromEntries(readings.flatMap((one) => (one.state === 'present' ? [[one.path, one.text]] : [])))
}

async function failureOf(promise: Promise<unknown>): Promise<PromptError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof PromptError) return error
  throw new Error(`expected a PromptError, got ${String(error)}`)
}

describe('scaffoldWorkspace', () => {
  it('creates every file but SOUL.md and MEMORY.md', async () => {
    const files = memoryFileSystem()
    expect(await scaffoldWorkspace(files)).toEqual({ created: withoutSoul, kept: [] })
    const { 'SOUL.md': _, ...expected } = en
    expect(await textsIn(files)).toEqual(expected)
  })

  it('creates SOUL.md when asked to, in the language asked for', async () => {
    const files = memoryFileSystem()
    expect((await scaffoldWorkspace(files, { locale: 'zh-CN', soul: true })).created).toEqual([...templatePaths])
    expect(await textsIn(files)).toEqual(zhCN)
  })

  it('changes nothing the second time, and writes nothing at all', async () => {
    const files = memoryFileSystem()
    await scaffoldWorkspace(files)
    const before = await files.read(withoutSoul)
    const write = vi.spyOn(files, 'write')
    expect(await scaffoldWorkspace(files, { locale: 'zh-CN' })).toEqual({ created: [], kept: withoutSoul })
    expect(write).not.toHaveBeenCalled()
    const after = await files.read(withoutSoul)
    expect(after.every((reading, index) => reading === before[index])).toBe(true)
  })

  it('creates what is missing, and never touches what is there', async () => {
    const given = fc.dictionary(fc.constantFrom(...templatePaths, 'MEMORY.md', 'notes.md'), fc.string())
    await fc.assert(
      fc.asyncProperty(given, fc.boolean(), fc.constantFrom('en', 'zh-CN'), async (texts, soul, locale) => {
        const files = memoryFileSystem(texts)
        const asked = templatePaths.filter((path) => soul || path !== 'SOUL.md')
        const { created, kept } = await scaffoldWorkspace(files, { soul, locale })
        expect(created).toEqual(asked.filter((path) => !(path in texts)))
        expect(kept).toEqual(asked.filter((path) => path in texts))
        const templates = locale === 'en' ? en : zhCN
        const expected = { ...Object.fromEntries(asked.map((path) => [path, templates[path]])), ...texts }
        const readings = await files.read([...templatePaths, 'MEMORY.md', 'memory.md', 'notes.md'])
        const found = readings.flatMap((one) => (one.state === 'present' ? [[one.path, one.text]] : []))
        expect(Object.fromEntries(found)).toEqual(expected)
      }),
    )
  })

  it('asks once, and writes by compare-and-set alone', async () => {
    const files = memoryFileSystem()
    const read = vi.spyOn(files, 'read')
    const write = vi.spyOn(files, 'write')
    await scaffoldWorkspace(files)
    expect(read).toHaveBeenCalledTimes(1)
    expect(write).toHaveBeenCalledTimes(withoutSoul.length)
    for (const [, , options] of write.mock.calls) expect(options).toEqual({ ifVersion: null })
  })

  it('keeps a file that somebody else creates meanwhile', async () => {
    const inner = memoryFileSystem()
    const files: FileSystem = {
      ...inner,
      async read(paths) {
        const readings = await inner.read(paths)
        await inner.write('USER.md', 'mine')
        return readings
      },
    }
    const { created, kept } = await scaffoldWorkspace(files)
    expect(kept).toEqual(['USER.md'])
    expect(created).toEqual(withoutSoul.filter((path) => path !== 'USER.md'))
    expect((await textsIn(inner))['USER.md']).toBe('mine')
  })

  it('keeps what cannot be read, and what the store says nothing of', async () => {
    const inner = memoryFileSystem()
    const write = vi.fn(inner.write)
    const files: FileSystem = {
      name: 'half blind',
      write,
      read: async (paths) =>
        paths
          .filter((path) => path !== 'TOOLS.md')
          .map((path) =>
            path === 'USER.md' ? { state: 'unreadable', path, reason: 'permission' } : { state: 'missing', path },
          ),
    }
    const { kept } = await scaffoldWorkspace(files)
    expect(kept).toEqual(['USER.md', 'TOOLS.md'])
    expect(write.mock.calls.map(([path]) => path)).not.toContain('USER.md')
    expect(write.mock.calls.map(([path]) => path)).not.toContain('TOOLS.md')
  })

  it('says so where the store cannot write', async () => {
    const { write: _, ...files } = memoryFileSystem({}, { name: 'a museum' })
    const error = await failureOf(scaffoldWorkspace(files))
    expect(error.code).toBe('capability-missing')
    expect(error.message).toContain('a museum')
  })

  it.each([
    [new PromptError('locked', 'TOOLS.md is locked.', { data: { path: 'TOOLS.md' } }), 'locked', { path: 'TOOLS.md' }],
    [new Error('the disk is full'), 'io', {}],
    ['out of paper', 'io', {}],
  ])('passes on what the store throws, and names what was created before: %s', async (thrown, code, data) => {
    const inner = memoryFileSystem()
    const files: FileSystem = {
      ...inner,
      name: 'desk',
      write: (path, text, options) => (path === 'TOOLS.md' ? Promise.reject(thrown) : inner.write(path, text, options)),
    }
    const error = await failureOf(scaffoldWorkspace(files))
    const created = ['AGENTS.md', 'IDENTITY.md', 'USER.md']
    expect(error).toMatchObject({ code, cause: thrown, data: { ...data, created } })
    expect(error.message).toMatch(/^TOOLS\.md could not be created in desk: .+\. Created before: .+ USER\.md\.$/)
    expect(error.message).not.toContain('..')
    // What was created stays, so that another call goes on from there.
    expect(await scaffoldWorkspace(inner)).toEqual({ created: withoutSoul.slice(3), kept: created })
  })

  it('creates nothing where the store cannot be read', async () => {
    const inner = memoryFileSystem()
    const write = vi.fn(inner.write)
    const read = () => Promise.reject(new Error('the line is dead'))
    const error = await failureOf(scaffoldWorkspace({ ...inner, name: 'far', read, write }))
    expect(error).toMatchObject({ code: 'io', data: { created: [] } })
    expect(error.message).toBe('far could not be read: the line is dead.')
    expect(write).not.toHaveBeenCalled()
  })

  it.each([
    [{ locale: 'fr' }, 'scaffoldWorkspace: locale: expected one of "en"|"zh-CN", got "fr"'],
    [{ soul: 'yes' }, 'scaffoldWorkspace: soul: expected boolean, got "yes"'],
    [{ memory: true }, 'scaffoldWorkspace: unknown option memory'],
    [null, 'scaffoldWorkspace: expected object, got null'],
  ])('refuses the options %j', async (options, message) => {
    const error = await failureOf(scaffoldWorkspace(memoryFileSystem(), options as never))
    expect(error).toMatchObject({ code: 'invalid-options', message })
  })

  it.each([undefined, null, {}, 'folder'])('refuses %j for a file system', async (files) => {
    const error = await failureOf(scaffoldWorkspace(files as never))
    expect(error.code).toBe('invalid-options')
    expect(error.message).toMatch(/^scaffoldWorkspace: expected a file system/)
  })
})
