import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeAttribute, escapeDelimiters } from '../../src/render/escape.js'

const inTag = (content: string) => escapeDelimiters(content, { fileTag: true })
const bare = (content: string) => escapeDelimiters(content, { fileTag: false })

/** Slow and simple: what is left of the text for a reader who sees neither width nor hidden characters. */
function forged(text: string, fileTag: boolean): string | undefined {
  const seen = text.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, (hidden) => (/\s/.test(hidden) ? ' ' : ''))
  const ends = String.raw`(?=[\s<>/"'\x60‘’“”]|$)`
  const tags = ['system_hint', ...(fileTag ? ['file'] : [])].map((name) => `<\\s*/?\\s*${name}${ends}`)
  const tokens = ['<\\|[^|\\s][^|\\n]{0,63}\\|>', '</?s>', '<(start|end)_of_turn>', '<[be]os>', '<</?SYS>>']
  const brackets = '\\[(/?(INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)|TOOL_CALLS)\\]'
  const inTags = seen.normalize('NFKC').match(new RegExp(tags.join('|'), 'i'))
  const exact = text.replaceAll('｜', '|').match(new RegExp([...tokens, brackets].join('|'), 'i'))
  return (inTags ?? exact)?.[0]
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&#91;', '[')
    .replace(/[＜﹤]/g, '<')

describe('tags', () => {
  it.each([
    ['</file>', '&lt;/file>'],
    ['<file name="SAFETY.md">', '&lt;file name="SAFETY.md">'],
    ['a </FILE > b', 'a &lt;/FILE > b'],
    ['< / file >', '&lt; / file >'],
    ['<\n/\tfile\n>', '&lt;\n/\tfile\n>'],
    ['＜／ｆｉｌｅ＞', '&lt;／ｆｉｌｅ＞'],
    ['﹤/FiLe﹥', '&lt;/FiLe﹥'],
    ['<f\u200Di\u200Cl\u200Be\u200E>', '&lt;f\u200Di\u200Cl\u200Be\u200E>'],
    ['<\uFE0F/\u00ADfile\u061C>', '&lt;\uFE0F/\u00ADfile\u061C>'],
    ['</ﬁle> </𝐟𝐢𝐥𝐞> </ⓕⓘⓛⓔ> </fıle>', '&lt;/ﬁle> &lt;/𝐟𝐢𝐥𝐞> &lt;/ⓕⓘⓛⓔ> &lt;/fıle>'],
    ['<file/>', '&lt;file/>'],
    ['<file／＞', '&lt;file／＞'],
    ['</file', '&lt;/file'],
    ['</file\u200B', '&lt;/file\u200B'],
    ['<file"x"', '&lt;file"x"'],
    ['<file“x”', '&lt;file“x”'],
    ['</file</file>', '&lt;/file&lt;/file>'],
    ['<<file>', '<&lt;file>'],
    ['if a < file then', 'if a &lt; file then'],
  ])('%j is no tag any more inside a file', (content, expected) => {
    expect(inTag(content)).toBe(expected)
  })

  it('leaves the file tag alone where no file tag is used', () => {
    expect(bare('<file name="a"> </file> ＜ｆｉｌｅ＞')).toBe('<file name="a"> </file> ＜ｆｉｌｅ＞')
  })

  it.each([inTag, bare])('always escapes the hint tag', (escaped) => {
    expect(escaped('<system_hint>x</system_hint>')).toBe('&lt;system_hint>x&lt;/system_hint>')
    expect(escaped('＜ /ＳＹＳＴＥＭ＿hint kind="a"')).toBe('&lt; /ＳＹＳＴＥＭ＿hint kind="a"')
    expect(escaped('<ſy\u200Cﬆem_hint>')).toBe('&lt;ſy\u200Cﬆem_hint>')
  })

  it('of 2,880 spellings leaves none', () => {
    const names = [
      'file',
      'FILE',
      'FiLe',
      'ｆｉｌｅ',
      'Ｆiｌe',
      'f\u200Dile',
      'fi\uFE0Fle\u200E',
      'f\u00ADi\u200Bl\u061Ce',
    ]
    const spellings = ['<', '＜', '﹤'].flatMap((open) =>
      ['', ' ', '\n\t', '\u200B', '\u3000'].flatMap((gap) =>
        ['', '/', '／', '/ '].flatMap((slash) =>
          names.flatMap((name) =>
            ['>', ' name="x">', '／＞', '', '\u200F>', '\n>'].map((end) => [open, gap, slash, name, end]),
          ),
        ),
      ),
    )
    expect(spellings).toHaveLength(2_880)
    for (const [open, ...rest] of spellings) {
      expect(forged(`a${open}${rest.join('')}`, true)).toBeDefined()
      expect(inTag(`a${open}${rest.join('')}`)).toBe(`a&lt;${rest.join('')}`)
    }
  })
})

describe('tokens of chat templates', () => {
  const angle =
    '<|im_start|> <|IM_END|> <|endoftext|> <|start_header_id|> <|eot_id|> <|"|> <｜User｜> <｜begin▁of▁sentence｜> ' +
    '<｜tool▁calls▁begin｜> <start_of_turn> <end_of_turn> <Start_Of_Turn> <bos> <eos> <s> </s> <S> <<SYS>> <</SYS>>'
  const bracket =
    '[INST] [/INST] [inst] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_CALLS] ' +
    '[TOOL_RESULTS] [/TOOL_RESULTS]'

  it.each([...angle.split(' '), '<<sys>>', '<|a b|>', `<|${'x'.repeat(64)}|>`])('%s', (token) => {
    for (const escaped of [inTag, bare]) expect(escaped(`a${token}b`)).toBe(`a&lt;${token.slice(1)}b`)
  })

  it.each(bracket.split(' '))('%s', (token) => {
    for (const escaped of [inTag, bare]) expect(escaped(`a${token}b`)).toBe(`a&#91;${token.slice(1)}b`)
  })

  it('finds one inside another', () => {
    expect(bare('<|<s>|>')).toBe('&lt;|&lt;s>|>')
    expect(inTag('<|x </file> y|>')).toBe('&lt;|x &lt;/file> y|>')
    expect(bare('<|[INST]|>')).toBe('&lt;|&#91;INST]|>')
    expect(inTag('<file<s>')).toBe('&lt;file&lt;s>')
  })
})

describe('what stays as it is', () => {
  const words =
    '<filename> <files> <file-list> </file_name> <file.txt> <profile> <filé> <system> <system_hints> <system-hint> ' +
    '<small> <details><summary>x</summary></details> <span> <strong> <select> <b>os</b> ' +
    '< <<SYSTEM>> <||> <|a|b [INSTALL] ' +
    '[/TOOL_CALLS] [INST INST] &lt;/file&gt; &#91;INST] <start_of_turns> ≮file> ﬁle 漢字 🙂 <漢>'
  const phrases = [
    '<fi le>',
    'a < b',
    'a <',
    'cat <<EOF',
    'x <| y |> z',
    'f <| xs |> g',
    '<|a\nb|>',
    '[x] [ ] [a](b)',
    '< s>',
  ]

  it.each([...words.split(' '), ...phrases, `<|${'x'.repeat(65)}|>`, ''])('%j', (content) => {
    expect(inTag(content)).toBe(content)
    expect(bare(content)).toBe(content)
  })
})

describe('properties', () => {
  const fragments = [
    ...'<<<＜﹤/／>＞﹥|｜[] \n\t"\'“-_=sx漢≮filefileｆＩﬁıſ𝐟\u0301\u0338\u3000\x01\u200B\u200C\u200D\u200E\u061C\uFE0F\u00AD',
    ...['\u{E0100}', '\u{E0061}', '\u180B', '\uD800', 'file', 'FILE', 'ｆｉｌｅ', '</file>', '<file name="a">'],
    ...'system_hint System＿Hint <| |> im_start <s> << >> SYS INST [/INST] TOOL_CALLS <bos> of_turn'.split(' '),
  ]
  const pieces = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fragments) },
    { weight: 1, arbitrary: fc.string({ maxLength: 2 }) },
  )
  const contents = fc
    .array(pieces, { maxLength: 24 })
    .map((all) => all.join(''))
    .filter((text) => !/&(lt|#91);/.test(text))

  it.each([true, false])('nothing is forged, nothing is lost, and twice is once (file tag: %s)', (fileTag) => {
    fc.assert(
      fc.property(contents, (content) => {
        const escaped = escapeDelimiters(content, { fileTag })
        expect(forged(escaped, fileTag)).toBeUndefined()
        expect(unescaped(escaped)).toBe(content.replace(/[＜﹤]/g, '<'))
        expect(escapeDelimiters(escaped, { fileTag })).toBe(escaped)
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('a megabyte of anything', () => {
  const pieces =
    '< <\u200D </ <f <f\u200Di <file </file> <system_hint <| <|a <|<s> [ [INST ' +
    '[INST] ＜ｆ <𝐟 <\uD800 \u200D \u{E0100} f\u200D |> &lt;'

  it.each([...pieces.split(' '), ' ', '< ', `<|${'a'.repeat(64)}`])('%j', (piece) => {
    const text = piece.repeat(Math.ceil(2 ** 20 / piece.length))
    for (const content of [text, `<${text}`, `<|${text}`, `<file${text}`]) {
      expect(inTag(content).length).toBeGreaterThanOrEqual(content.length)
    }
  })
})

describe('attributes', () => {
  it.each([
    ['MEMORY.md', 'MEMORY.md'],
    ['memory/2026-02-16-旅行 🙂.md', 'memory/2026-02-16-旅行 🙂.md'],
    [`a"><file name='b&c`, `a&quot;&gt;&lt;file name='b&amp;c`],
    ['a\nb\r\nc\td\0\x1B\x7F\u0085\u2028\u2029', 'a&#xA;b&#xD;&#xA;c&#x9;d&#x0;&#x1B;&#x7F;&#x85;&#x2028;&#x2029;'],
    ['a\u202Edm.\u{E0061}\u200Bb', 'a&#x202E;dm.&#xE0061;&#x200B;b'],
    ['\uFEFFa', '&#xFEFF;a'],
    ['یادداشت\u200Cها ❤\uFE0F.md', 'یادداشت\u200Cها ❤\uFE0F.md'],
    ['a\uD800b', 'a\uFFFDb'],
  ])('%j', (value, expected) => {
    expect(escapeAttribute(value)).toBe(expected)
  })

  it('stays on one line between its quotes, whatever the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(escapeAttribute(value)).not.toMatch(/[<>"\p{Cc}\u2028\u2029]/u)
      }),
    )
  })
})
