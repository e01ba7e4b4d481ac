import { describe, expect, it } from 'vitest'
import type { FileSnapshot } from '../../src/ports/index.js'
import { documentFromText, documentsOf } from '../../src/workspace/documents.js'

const snapshot = (text: string, rest: Partial<FileSnapshot> = {}): FileSnapshot => ({
  state: 'present',
  path: 'SOUL.md',
  text,
  length: text.length,
  version: text,
  ...rest,
})
const documentOf = async (text: string, rest: Partial<FileSnapshot> = {}) =>
  (await documentsOf([snapshot(text, rest)]))[0]

describe('documentsOf', () => {
  it('takes front matter off and reads it', async () => {
    const document = await documentOf('\ufeff---\r\nv: 1\r\n---\r\n\r\nDry.\r\n')
    expect(document).toMatchObject({ state: 'present', metadata: { v: 1 }, notes: [] })
    expect(document?.text.slice(document.body)).toBe('\nDry.\n')
  })

  it.each(['---\n\nProse.\n\n---\nMore.', '---\nunclosed: yes\nProse.', '----\nx', '---js\n1\n---\nx'])(
    'leaves %j as it is',
    async (text) => {
      expect(await documentOf(text)).toMatchObject({ text, body: 0, notes: [] })
    },
  )

  it('leaves broken front matter as it is, and says so', async () => {
    const document = await documentOf('---\ndescription: a: b\n---\nx')
    expect(document).toMatchObject({ body: 0, text: '---\ndescription: a: b\n---\nx' })
    expect(document?.notes.map(({ code }) => code)).toEqual(['front-matter-invalid'])
  })

  it.each([
    ['', 'empty'],
    [' \n\t\n', 'empty'],
    ['---\nv: 1\n---\n \n', 'empty'],
    ['\u200b\u2060\n', 'empty'],
    ['x', 'present'],
    ['a\0b', 'unreadable'],
  ])('%j is %s', async (text, state) => {
    expect((await documentOf(text))?.state).toBe(state)
  })

  it('reports what it took out', async () => {
    const document = await documentOf('a\u202eb\u{e0041}')
    expect(document?.text).toBe('ab')
    expect(document?.notes[0]?.message).toBe(
      '2 invisible or control characters of SOUL.md are not shown (bidi, tag: U+202E U+E0041).',
    )
  })

  it('cleans the ends of a large file apart and keeps its length', async () => {
    const document = await documentOf('head\r\n\ufefftail', { gap: { at: 6 }, length: 5_000_000, approximate: true })
    expect(document).toMatchObject({ text: 'head\ntail', gap: 5, length: 5_000_000, approximate: true })
  })

  it('makes one document for one snapshot, and one for all that is missing at a path', async () => {
    const one = snapshot('x')
    expect((await documentsOf([one]))[0]).toBe((await documentsOf([one]))[0])
    const missing = () => documentsOf([{ state: 'missing', path: 'SOUL.md' }])
    expect((await missing())[0]).toBe((await missing())[0])
  })
})

describe('documentFromText', () => {
  it('shows front matter, and says so', () => {
    const document = documentFromText('SOUL.md', '---\nv: 1\n---\nx')
    expect(document).toMatchObject({ state: 'present', body: 0 })
    expect(document.notes.map(({ code }) => code)).toEqual(['front-matter-kept'])
  })
})
