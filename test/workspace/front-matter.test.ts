import { describe, expect, it } from 'vitest'
import { findFrontMatter, frontMatterParser } from '../../src/workspace/front-matter.js'

const parse = await frontMatterParser()

describe('findFrontMatter', () => {
  it.each([
    ['---\na: 1\n---\nbody', 'a: 1\n', 'body'],
    ['--- \t\na: 1\n---  \nbody', 'a: 1\n', 'body'],
    ['---\n---\nbody', '', 'body'],
    ['---\na: 1\n---', 'a: 1\n', ''],
  ])('finds it in %j', (text, block, body) => {
    const found = findFrontMatter(text)
    expect(found?.block).toBe(block)
    expect(text.slice(found?.end)).toBe(body)
  })

  it.each([
    'body',
    '',
    '---',
    '---\na: 1\nbody',
    '----\na: 1\n----\nbody',
    '---js\n({})\n---\nbody',
    '--- title\na: 1\n---\nbody',
    ' ---\na: 1\n---\nbody',
    '\n---\na: 1\n---\nbody',
    '---\na: 1\n ---\nbody',
    '---\na: 1\n...\nbody',
    `---\n${'a: 1\n'.repeat(4_000)}---\nbody`,
  ])('finds none in %.40j', (text) => {
    expect(findFrontMatter(text)).toBeUndefined()
  })
})

describe('front matter', () => {
  it('is a frozen copy of plain data', () => {
    const result = parse('title: Soul\ntags: [a, b]\ndate: 2026-02-16\nnested:\n  deep: true\n')
    expect(result).toEqual({
      metadata: { title: 'Soul', tags: ['a', 'b'], date: '2026-02-16T00:00:00.000Z', nested: { deep: true } },
    })
    expect('metadata' in (result as object) && Object.isFrozen((result as { metadata: object }).metadata)).toBe(true)
  })

  it.each(['Hello world.\n', '- a\n- b\n', '42\n', '"text"\n'])('is none when the block is no mapping: %j', (block) => {
    expect(parse(block)).toBe('not-front-matter')
  })

  it.each([
    ['description: foo: bar\n', 'line 2'],
    ['a: [1\n', 'flow collection|unexpected end'],
    ['a: 1\na: 2\n', 'duplicated mapping key'],
    ['x: !!js/function "function () {}"\n', 'unknown tag'],
    ['x: !!binary R0lGODlh\n', 'no plain data'],
    ['__proto__:\n  polluted: true\n', '__proto__'],
  ])('is reported when it is broken: %j', (block, reason) => {
    expect((parse(block) as { invalid: string }).invalid).toMatch(new RegExp(reason))
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('refuses aliases that multiply and aliases that circle', () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 9; level += 1) {
      bomb.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
    }
    expect(parse(`${bomb.join('\n')}\n`)).toHaveProperty('invalid')
    expect(parse('a: &a\n  self: *a\n')).toHaveProperty('invalid')
  })

  it('comes through nested far too deep, or full of blank lines', () => {
    expect(parse(`a: ${'['.repeat(8_000)}${']'.repeat(8_000)}\n`)).toHaveProperty('invalid')
    expect(parse(`a: 1\n${'  \n'.repeat(5_000)}b: 2\n`)).toEqual({ metadata: { a: 1, b: 2 } })
  })

  it('runs nothing, whatever the first line says', () => {
    for (const language of [
      'js',
      'javascript',
      'JS',
      ' js',
      'coffee',
      'json',
      'constructor',
      'toString',
      '__proto__',
    ]) {
      expect(findFrontMatter(`---${language}\n(globalThis.ran = true, {})\n---\n`)).toBeUndefined()
      parse(`# ${language}\n(globalThis.ran = true, {})\n`)
    }
    expect((globalThis as { ran?: boolean }).ran).toBeUndefined()
  })
})
