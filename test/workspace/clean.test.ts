import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from '../../src/workspace/clean.js'
import { languageSamples } from './language-samples.js'
import { rgiEmoji } from './rgi-emoji.js'

const clean = (text: string) => cleanText(text).text
const point = (codePoint: number) => String.fromCodePoint(codePoint)
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const tagged = (text: string) => Array.from(text, (letter) => point(0xe0000 + letter.charCodeAt(0))).join('')

describe('newlines and byte order marks', () => {
  it('makes every kind of newline one \\n, without a report', () => {
    const { text, removed } = cleanText('a\r\nb\rc\u0085d\u2028e\u2029f\n\r\ng\r\rh')
    expect(text).toBe('a\nb\nc\nd\ne\nf\n\ng\n\nh')
    expect(removed).toEqual([])
  })

  it('takes a mark off the start of a text and of a line, without a report', () => {
    expect(cleanText('\uFEFFa\n\uFEFFb\r\n\uFEFFc\r\uFEFF')).toEqual({ text: 'a\nb\nc\n', removed: [] })
  })

  it('reports a mark in mid-line and a second one', () => {
    expect(cleanText('\uFEFF\uFEFFa\uFEFFb')).toEqual({
      text: 'ab',
      removed: [{ kind: 'byte-order-mark', count: 2, codePoints: ['U+FEFF'] }],
    })
  })
})

describe('what is always removed', () => {
  it.each([
    ['control', [...range(0, 8), 0x0b, 0x0c, ...range(0x0e, 0x1f), ...range(0x7f, 0x84), ...range(0x86, 0x9f)]],
    ['bidi', [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]],
    ['tag', range(0xe0000, 0xe007f)],
    ['variation-selector', [...range(0xfe00, 0xfe0f), ...range(0xe0100, 0xe01ef), 0x180b, 0x180c, 0x180d, 0x180f]],
    ['joiner', [0x200c, 0x200d]],
    ['invisible', [0xad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, ...range(0x2060, 0x2065)]],
    ['invisible', [...range(0x206a, 0x206f), 0x3164, 0xffa0, ...range(0xfff0, 0xfffb), ...range(0xfdd0, 0xfdef)]],
    ['invisible', [...range(0x1bca0, 0x1bca3), ...range(0x1d173, 0x1d17a), ...range(0xe0080, 0xe00ff)]],
    [
      'invisible',
      [...range(0xe01f0, 0xe0fff), ...range(0, 16).flatMap((p) => [0xfffe, 0xffff].map((n) => p * 0x10000 + n))],
    ],
  ] as const)('%s characters between letters', (kind, codePoints) => {
    for (const codePoint of codePoints) {
      const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
      expect(cleanText(`a${point(codePoint)}b`)).toEqual({
        text: 'ab',
        removed: [{ kind, count: 1, codePoints: [name] }],
      })
    }
  })

  it('takes nothing else, of all of Unicode, and leaves nothing that is ignored by default', () => {
    const newlines = '\r\u0085\u2028\u2029'
    const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]/u
    const wrong = range(0, 0x10ffff).filter((codePoint) => {
      const character = point(codePoint)
      const text = `a${character}b`
      if (/[\p{Surrogate}\t\n\u200E\u200F\u061C]/u.test(character)) return false
      return clean(text) !== (newlines.includes(character) ? 'a\nb' : hidden.test(character) ? 'ab' : text)
    })
    expect(wrong).toEqual([])
  })

  it('replaces lone surrogates and lets none of them pair up', () => {
    const { text, removed } = cleanText('\uD83Da\uDE00 \uD83D\u2060\uDE00 🙂 \uDE00\uD83D')
    expect(text).toBe('\uFFFDa\uFFFD \uFFFD\uFFFD 🙂 \uFFFD\uFFFD')
    expect(removed).toEqual([
      { kind: 'invisible', count: 1, codePoints: ['U+2060'] },
      { kind: 'lone-surrogate', count: 6, codePoints: ['U+D83D', 'U+DE00'] },
    ])
  })

  it('counts all and names the eight lowest', () => {
    const { removed } = cleanText(`x${tagged('the quick brown fox')}y\u202Ez`)
    expect(removed).toEqual([
      { kind: 'bidi', count: 1, codePoints: ['U+202E'] },
      {
        kind: 'tag',
        count: 19,
        codePoints: ['U+E0020', 'U+E0062', 'U+E0063', 'U+E0065', 'U+E0066', 'U+E0068', 'U+E0069', 'U+E006B'],
      },
    ])
  })

  it('hands a clean text back, with one frozen empty list', () => {
    const text = 'Plain text, ünïcode, 漢字, 🙂 and x².\n\tTabs stay.\n'
    expect(cleanText(text).text).toBe(text)
    expect(Object.isFrozen(cleanText(text).removed)).toBe(true)
    expect(cleanText('a\r\nb').removed).toBe(cleanText(text).removed)
  })

  it('normalises nothing', () => {
    const text = 'x² ﬁ ｆｕｌｌ e\u0301 é Å Å ① ㌔'
    expect(clean(text)).toBe(text)
  })
})

describe('what stays where it has work to do', () => {
  const scotland = `🏴${tagged('gbsct')}\u{E007F}`

  it.each([
    ['a selector after an emoji', '❤\uFE0F ☎\uFE0E 👍🏽\uFE0F ©\uFE0F'],
    ['a keycap', '#\uFE0F\u20E3 1\uFE0E\u20E3 *\uFE0F\u20E3'],
    ['a selector after an ideograph', '㐂\uFE00 葛\u{E0100} 邉\u{E011F} 𠮟\uFE02'],
    ['a selector after mathematics', '0\uFE00 ∩\uFE00 ≨\uFE00 ⫋\uFE00 𝒜\uFE01 ℬ\uFE00 ０\uFE00'],
    ['a selector after East Asian punctuation', '、\uFE00。\uFE01！\uFE01“\uFE00'],
    ['a selector after Myanmar, Phags-pa, Manichaean', 'က\uFE00 ꡖ\uFE00 𐫅\uFE00'],
    ['selectors and the separator of Mongolian', 'ᠠ\u180Bᠠ ᠨ\u180Eᠠ ᠨ\u180F'],
    ['the joiner of emoji', '👩\u200D💻 ❤\uFE0F\u200D🔥 👩🏽\u200D🚀'],
    ['the joiner of conjuncts', 'क\u094D\u200Dष र\u200D\u09CDয ශ\u0DCA\u200Dරී'],
    ['the joiner of cursive scripts', 'ه\u200D \u200Dه ـ\u200D ߞ\u200D 𞤀\u200D ܐ\u200D ꡀ\u200D'],
    ['the non-joiner', 'می\u200Cخواهم API\u200Cها ۵\u200Cام 5\u200Cام क\u094D\u200Cष'],
    ['the non-joiner behind a word-final virama', 'ర\u0C4D\u200C లో'],
    ['the space of scripts without spaces', 'ก\u200Bข API\u200Bก ក\u200Bខ ລ\u200Bາ က\u200Bခ ก\u200B'],
    ['direction marks', 'a\u200Eb\u200Fc\u061Cd\u200E'],
    ['a selector, a joiner and a direction mark together', '❤\uFE0F\u200D\u200E🔥 ❤\uFE0F\u200F\u200D🔥'],
    ['a flag of tags', scotland],
  ])('%s', (_, text) => {
    expect(cleanText(text)).toEqual({ text, removed: [] })
  })

  it.each([
    ['a second selector', '❤\uFE0F\uFE0E\uFE0F', '❤\uFE0F'],
    ['a selector away from its base', '❤\u200E\uFE0F ❤ \uFE0F', '❤\u200E ❤ '],
    ['an emoji selector after a letter, a digit, a line start', 'a\uFE0F 1\uFE0F #\uFE0E\n\uFE0F', 'a 1 #\n'],
    ['an ideographic selector after others', 'a\u{E0100} か\u{E0100} 葛\u{E0120}', 'a か 葛'],
    ['a standardised selector after others', 'a\uFE00 1\uFE00 ∩\uFE02 ≤\uFE00 .\uFE00', 'a 1 ∩ ≤ .'],
    ['Mongolian selectors elsewhere', 'a\u180Bb\u180Ec ᠠ\u180B\u180C', 'abc ᠠ\u180B'],
    ['a second joiner', '👩\u200D\u200D💻 ک\u200C\u200C\u200Cه', '👩\u200D💻 ک\u200Cه'],
    ['the joiner beside one emoji', '👩\u200D \u200D💻 👩\u200Da', '👩 💻 👩a'],
    ['the joiner between letters', 'a\u200Db 漢\u200D字 я\u200Dя', 'ab 漢字 яя'],
    ['the joiner between Indic letters without virama', 'क\u200Dष', 'कष'],
    ['the non-joiner between others', 'a\u200Cb 漢\u200C字 🙂\u200C🙂 1\u200C2', 'ab 漢字 🙂🙂 12'],
    ['the non-joiner at the edge of a word', 'ه\u200C \u200Cه «ه»\u200C', 'ه ه «ه»'],
    ['the zero width space elsewhere', 'a\u200Bb 漢\u200B字 ه\u200Bه', 'ab 漢字 هه'],
    ['a run of direction marks', 'a\u200E\u200F\u200E\u061Cb', 'a\u200Eb'],
    ['a run that alternates', 'ه\u200C\u200E\u200C\u200F\u200C\u200Eه', 'ه\u200C\u200Eه'],
    ['tags that spell no such flag', `🏴${tagged('ustx')}\u{E007F} 🏴${tagged('gbeng')}`, '🏴 🏴'],
    ['tags behind a flag', `${scotland}${tagged('hi')}\u{E007F}\uFE0F`, scotland],
    ['a flag with something before its tags', `🏴\uFE0F${tagged('gbeng')}\u{E007F}`, '🏴\uFE0F'],
    ['flag tags without the flag', `a${tagged('gbeng')}\u{E007F}`, 'a'],
  ])('and not elsewhere: %s', (_, text, expected) => {
    expect(clean(text)).toBe(expected)
    expect(cleanText(text).removed.length).toBeGreaterThan(0)
  })

  it('looks past what is removed', () => {
    expect(clean('❤\u2060\uFE0F')).toBe('❤')
    expect(clean('م\u2060\u200C\u00ADه')).toBe('م\u200Cه')
  })

  it('every emoji recommended for interchange', () => {
    const emoji = rgiEmoji()
    expect(emoji.length).toBeGreaterThan(3_500)
    expect(emoji.filter((each) => clean(each) !== each)).toEqual([])
    expect(clean(emoji.join(''))).toBe(emoji.join(''))
    expect(clean(emoji.join('x'))).toBe(emoji.join('x'))
  })

  it.each(Object.entries(languageSamples))('%s', (_, text) => {
    expect(cleanText(text)).toEqual({ text, removed: [] })
  })

  it('covers 25 languages', () => {
    expect(Object.keys(languageSamples)).toHaveLength(25)
  })
})

describe('smuggling', () => {
  const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 })
  const bits = (secret: string) => Array.from(secret, (c) => c.charCodeAt(0).toString(2).padStart(8, '0')).join('')
  const selectors = (secret: string) =>
    Array.from(secret, (c) => c.charCodeAt(0))
      .map((byte) => point(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
      .join('')
  const spread = (pieces: readonly string[]) => pieces.map((piece, index) => 'loremipsum'[index % 10] + piece).join('')
  const digits = (alphabet: string, secret: string) =>
    Array.from(bits(secret), (bit, index) => alphabet[(index % (alphabet.length / 2)) * 2 + Number(bit)] as string)

  it.each<readonly [string, (secret: string) => string]>([
    ['tag characters', (secret) => `Hello${tagged(secret)} world`],
    ['tag characters behind a flag', (secret) => `🏴${tagged(secret)}\u{E007F}`],
    ['selectors after an emoji', (secret) => `Hello 😀${selectors(secret)} world`],
    ['selectors after letters', (secret) => spread(Array.from(secret, selectors))],
    ['zero-width binary in one place', (secret) => `a${digits('\u200B\u200C\u200D\u2060', secret).join('')}b`],
    [
      'zero-width binary between letters',
      (secret) => `${spread(digits('\u200B\u200C\u200D\uFEFF\u2060\u200B', secret))}z`,
    ],
    ['zero-width binary between emoji', (secret) => `${digits('\u200B\u200C', secret).join('😀')}😀`],
    ['bidi overrides', (secret) => spread(digits('\u202D\u202E\u2066\u2067\u2068\u2069\u202A\u202B', secret))],
    ['invisible operators', (secret) => spread(digits('\u2061\u2062\u2063\u2064', secret))],
    ['fillers and shorthand controls', (secret) => spread(digits('\u115F\u1160\u3164\uFFA0\u034F\u00AD', secret))],
    ['controls', (secret) => spread(digits('\x01\x02\x7F\x9F', secret))],
    ['plane 14', (secret) => `a${Array.from(secret, (c) => point(0xe0f00 + c.charCodeAt(0))).join('')}`],
  ])('%s: two secrets of one length leave the same text', (_, hide) => {
    const twoSecrets = secrets.chain((one) =>
      fc.tuple(fc.constant(one), fc.string({ unit: 'grapheme-ascii', minLength: one.length, maxLength: one.length })),
    )
    fc.assert(
      fc.property(twoSecrets, ([one, two]) => {
        expect(clean(hide(one))).toBe(clean(hide(two)))
        expect(clean(hide(one))).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/u)
      }),
      { numRuns: 50 },
    )
  })
})

describe('properties', () => {
  const visible = [
    'a',
    '1',
    '#',
    '0',
    '\u20E3',
    '❤',
    '👩',
    '🏽',
    '🏴',
    '🇩',
    'ه',
    'ک',
    'क',
    '\u094D',
    'र',
    'ก',
    'က',
    'ᠠ',
    '漢',
    '∩',
    '\n',
    '\r',
  ]
  const hidden = range(0, 0xffff)
    .map(point)
    .filter((c) => /[\p{DI}\p{Cc}\p{Surrogate}]/u.test(c))
  const favourites = [...'\u200B\u200C\u200D\u200E\u200F\u061C\uFE00\uFE0E\uFE0F\u{E0100}\u180B\u180E\uFEFF\u2060']
  const nasty = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...favourites) },
    { weight: 4, arbitrary: fc.constantFrom(...visible) },
    { weight: 1, arbitrary: fc.constantFrom(...hidden) },
    { weight: 1, arbitrary: fc.constantFrom(tagged('gbeng'), tagged('gbwls\x7F'), tagged('x'), '\u{E007F}') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  )
  const texts = fc.array(nasty, { maxLength: 40 }).map((pieces) => pieces.join(''))

  it('cleaning twice is cleaning once', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = clean(text)
        expect(cleanText(once)).toEqual({ text: once, removed: [] })
      }),
      { numRuns: 20_000 },
    )
  })

  it('leaves at most a selector, a joiner and a direction mark in one place, and never adds or moves anything', () => {
    const flags = /\u{1F3F4}[\u{E0061}-\u{E007A}]{5}\u{E007F}/gu
    fc.assert(
      fc.property(texts, (text) => {
        const { text: cleaned, removed } = cleanText(text)
        expect(cleaned.replace(flags, 'flag')).not.toMatch(/\p{DI}{4}/u)
        expect(cleaned.isWellFormed()).toBe(true)
        const show = (each: string) =>
          each
            .toWellFormed()
            .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
            .replace(/(?![\t\n])[\p{DI}\p{Cc}\p{NChar}\uFFF9-\uFFFB]/gu, '')
        expect(show(cleaned)).toBe(show(text))
        expect(removed.every(({ count, codePoints }) => count >= codePoints.length && codePoints.length > 0)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('a megabyte of anything', () => {
  const pieces =
    '\u200B \u200D \uFE0F \u200E \uFEFF \r \n\uFEFF \0 \uD83D \u{E0061} \u{E007F} 👩\u200D ❤\uFE0F\u200D ' +
    'ه\u200C क\u094D\u200D 葛\u{E0100} a\u200B 漢\u200C \u200C\u200D 🏴\u{E0067} \u{1D173} \u180Bᠠ ❤ a'

  it.each([...pieces.split(' '), `🏴${tagged('gbeng')}\u{E007F}`])('%j', (piece) => {
    const text = `x${piece.repeat(Math.ceil(2 ** 20 / piece.length))}`
    expect(clean(text).length).toBeLessThanOrEqual(text.length)
  })
})
