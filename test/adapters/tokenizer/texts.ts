import fc from 'fast-check'

/** Whatever a pattern or a merge could take apart in another way: scripts, cases, marks, breaks, halves of pairs. */
const fragments = [
  ...[
    'a',
    'A',
    'z',
    'the ',
    'The',
    'x',
    'HTTPServer',
    'camelCase',
    'é',
    'Ü',
    'ё',
    'İ',
    'ß',
    'ǅ',
    'ʰ',
    'ªº',
    'ﬁ',
    '𝒜',
    'Привет',
  ],
  ...['中', '你好', '한국', 'ก', 'ไทย', 'नमस्ते', 'مرحبا', '𠀀', '。', '，', '、'],
  ...[
    '😀',
    '👨\u200D👩\u200D👧',
    '\u200D',
    '\u0301',
    '\u0345',
    '\uFEFF',
    '\u0085',
    '\u2028',
    '\u00A0',
    '\u3000',
    '\uFFFD',
  ],
  ...[
    '\r',
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    '  ',
    '\t',
    '\v',
    '\f',
    '\0',
    '\x7F',
    '. ',
    ', b',
    '\n  x',
    '\n/',
    ';\n',
    ');\n',
  ],
  ...['/', '//', '!', '...', '-', '_', '==', '#', '{', '}', '"', "'", "'s", "'LL", "'ve", '<|endoftext|>', '<|', '|>'],
  ...['1', '12', '1234', '٣', '½', 'Ⅷ', '\uD800', '\uDC00', '\uD83D'],
]
const fragment = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...fragments) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
)

export const texts = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''))

/** Texts of few different fragments, each many times. */
export const repetitive = fc
  .tuple(fc.array(fragment, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(2), { minLength: 1, maxLength: 120 }))
  .map(([few, order]) => order.map((index) => few[index % few.length]).join(''))
