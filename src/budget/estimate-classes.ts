/** Classes of UTF-16 units, told apart as far as tokenizers treat them differently. */
export const classes = [
  'space',
  'newline',
  'lower',
  'upper',
  'digit',
  'mark',
  'latin',
  'greek',
  'cyrillic',
  'hebrew',
  'arabic',
  'indic',
  'southeast',
  'hangul',
  'kana',
  'han',
  'wideMark',
  'symbol',
  'pair',
  'joiner',
  'other',
] as const

export type UnitClass = (typeof classes)[number]

/** First and last unit; what comes later goes over what came before. The rest is `other`. */
const ranges: readonly (readonly [number, number, UnitClass])[] = [
  [0x09, 0x0c, 'space'],
  [0x20, 0x20, 'space'],
  [0x0a, 0x0a, 'newline'],
  [0x0d, 0x0d, 'newline'],
  [0x21, 0x7e, 'mark'],
  [0x30, 0x39, 'digit'],
  [0x41, 0x5a, 'upper'],
  [0x61, 0x7a, 'lower'],
  [0x80, 0xbf, 'symbol'],
  [0xa0, 0xa0, 'space'],
  [0xc0, 0x2af, 'latin'],
  [0x300, 0x36f, 'joiner'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x590, 0x5ff, 'hebrew'],
  [0x600, 0x8ff, 'arabic'],
  [0x900, 0xdff, 'indic'],
  [0xe00, 0x109f, 'southeast'],
  [0x10a0, 0x10ff, 'indic'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1780, 0x17ff, 'southeast'],
  [0x1e00, 0x1eff, 'latin'],
  [0x1f00, 0x1fff, 'greek'],
  [0x2000, 0x2bff, 'symbol'],
  [0x200b, 0x200f, 'joiner'],
  [0x3000, 0x303f, 'wideMark'],
  [0x3040, 0x30ff, 'kana'],
  [0x3130, 0x318f, 'hangul'],
  [0x3400, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xd800, 0xdfff, 'pair'],
  [0xf900, 0xfaff, 'han'],
  [0xfb1d, 0xfb4f, 'hebrew'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe00, 0xfe0f, 'joiner'],
  [0xfe70, 0xfefe, 'arabic'],
  [0xff00, 0xffef, 'wideMark'],
]

/** The index in {@link classes} of every UTF-16 unit. */
export function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(classes.indexOf('other'))
  for (const [first, last, name] of ranges) table.fill(classes.indexOf(name), first, last + 1)
  return table
}
