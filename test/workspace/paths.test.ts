import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPath, normalizePath } from '../../src/workspace/paths.js'

describe('checkPath', () => {
  test('takes ordinary names', () => {
    const names = ['SOUL.md', 'memory/2026-02-16.md', 'a/b/c/d', '记忆/今天.md', 'with space.md', '..a', 'a..', '...']
    names.push('.soulprompt/state.json', '__proto__', 'constructor', 'ab:c', '😀', 'a'.repeat(1_024))
    for (const name of names) expect(checkPath(name), name).toBeUndefined()
  })

  test.each([
    ['', 'is empty'],
    ['/etc/passwd', 'is absolute'],
    ['//server/share', 'is absolute'],
    ['C:/x', 'drive letter'],
    ['c:x', 'drive letter'],
    ['a\\b', 'backslash'],
    ['\\\\server\\share', 'backslash'],
    ['a\0', 'control character'],
    ['a\nb', 'control character'],
    ['a\x7fb', 'control character'],
    ['a\x9fb', 'control character'],
    ['.', 'part "."'],
    ['..', 'part ".."'],
    ['a/./b', 'part "."'],
    ['a/../b', 'part ".."'],
    ['a/..', 'part ".."'],
    ['../x', 'part ".."'],
    ['a//b', 'empty part'],
    ['a/', 'empty part'],
    ['a\ud800', 'surrogate'],
    ['a'.repeat(1_025), '1024 characters'],
  ])('refuses %j', (path, why) => {
    expect(checkPath(path)).toContain(why)
  })

  test('refuses what is no string, without throwing', () => {
    for (const path of [undefined, null, 7, {}, []]) {
      expect(checkPath(path as unknown as string)).toBe('is not a string')
      expect(normalizePath(path as unknown as string)).toBe(path)
    }
  })

  test('lets nothing through that a URL would resolve to another place', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('.', '..', '/', '\\', 'a', '', ' '), { maxLength: 8 }), (parts) => {
        const path = parts.join('')
        if (checkPath(path) !== undefined) return
        expect(path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')).toBe(true)
      }),
    )
  })
})

test('normalizePath takes "./" off and nothing else', () => {
  expect(normalizePath('./SOUL.md')).toBe('SOUL.md')
  expect(normalizePath('././a/b')).toBe('a/b')
  for (const same of ['SOUL.md', '../a', '.a', 'a/./b', '', '.']) expect(normalizePath(same)).toBe(same)
  // What was hidden behind it is judged in turn.
  expect(checkPath(normalizePath('./../a'))).toContain('..')
  expect(checkPath(normalizePath('.//etc'))).toContain('absolute')
})
