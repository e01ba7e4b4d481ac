/*
 * Where a hidden character has work to do. Each rule is a pattern over the hidden character and the nearest ones that
 * show on either side of it; the edge of a text counts as a newline.
 */

/** Letters that change shape beside a neighbour, and the vowel signs and the elongation that stand among them. */
const joining = String.raw`(?:(?=[${scripts(
  'Adlam Arabic Chorasmian Hanifi_Rohingya Mandaic Manichaean Mongolian Nko Old_Uyghur Phags_Pa Psalter_Pahlavi',
  'Sogdian Syriac',
)}])[\p{L}\p{M}]|[\u0640\u064B-\u0655\u0670])`

/** Letters and marks of the scripts that build conjuncts with a virama. */
const indic = String.raw`(?:(?=[${scripts(
  'Balinese Bengali Brahmi Chakma Devanagari Dogra Grantha Gujarati Gunjala_Gondi Gurmukhi Javanese Kaithi Kannada',
  'Khmer Khojki Khudawadi Lepcha Limbu Malayalam Masaram_Gondi Meetei_Mayek Modi Myanmar Nandinagari Newa Oriya',
  'Saurashtra Sharada Siddham Sinhala Sundanese Syloti_Nagri Tai_Tham Takri Tamil Telugu Tibetan Tirhuta',
)}])[\p{L}\p{M}])`

/** Canonical combining class 9, as of Unicode 17: no property escape reaches it. */
const virama = `[${codePoints(
  '94D 9CD A4D ACD B4D BCD C4D CCD D3B-D3C D4D DCA E3A EBA F84 1039-103A 1714-1715 1734 17D2 1A60 1B44 1BAA-1BAB',
  '1BF2-1BF3 2D7F A806 A82C A8C4 A953 A9C0 AAF6 ABED 10A3F 11046 11070 1107F 110B9 11133-11134 111C0 11235 112EA',
  '1134D 113CE-113D0 11442 114C2 115BF 1163F 116B6 1172B 11839 1193D-1193E 119E0 11A34 11A47 11A99 11C3F 11D44-11D45',
  '11D97 11F41-11F42 1612F',
)}]`

/** What StandardizedVariants.txt of Unicode 17 lists: zero, mathematics, script capitals, East Asian punctuation. */
const standardized = `[${codePoints(
  '30 FF10 2205 2229-222A 2268-2269 2272-2273 228A-228B 2293-2295 2297 229C 22DA-22DB 2A3C-2A3D 2A9D-2A9E 2AAC-2AAD',
  '2ACB-2ACC 210B 2110 2112 211B 212C 2130-2131 2133 1D49C-1D4B5 2018-2019 201C-201D 3001-3002 FF01 FF0C FF0E',
  'FF1A-FF1B FF1F',
)}${scripts('Myanmar Phags_Pa Manichaean')}]`

const mongolianLetter = String.raw`(?=\p{Script=Mongolian})[\p{L}\p{M}]`
const withoutSpaces = `[${scripts('Khmer Lao Myanmar Thai')}]`
const word = String.raw`[\p{L}\p{M}\p{Nd}]`
const emojiJoiner = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}][^]\p{Extended_Pictographic}`
const shaping = `(?:${joining}|${indic})`

/** base, selector, next */
const selectorAtWork = anyOf(
  String.raw`[0-9#*][\uFE0E\uFE0F]\u20E3`,
  String.raw`(?![0-9#*])\p{Emoji}[\uFE0E\uFE0F]`,
  String.raw`\p{Unified_Ideograph}[\uFE00-\uFE02\u{E0100}-\u{E011F}]`,
  String.raw`${standardized}[\uFE00\uFE01]`,
  String.raw`${mongolianLetter}[\u180B-\u180D\u180F]`,
)

/** By the joiner: before, joiner, after. */
const joinerAtWork: ReadonlyMap<number, RegExp> = new Map([
  [0x200b, anyOf(`${withoutSpaces}[^]`, `[^]{2}${withoutSpaces}`)],
  [0x200c, anyOf(`${virama}[^]`, `${shaping}[^]${word}`, `${word}[^]${shaping}`)],
  [0x200d, anyOf(`${virama}[^]`, emojiJoiner, `${joining}[^]`, `[^]{2}${joining}`, `${indic}[^]${virama}`)],
  [0x180e, anyOf(`${mongolianLetter}[^]`, `[^]{2}${mongolianLetter}`)],
])

/** Whether `selector` is a variation selector that can change how `base`, which it directly follows, is drawn. */
export function takesSelector(base: number, selector: number, next: number): boolean {
  return selectorAtWork.test(String.fromCodePoint(base, selector, next))
}

/** Whether `joiner` joins, parts or breaks anything between these neighbours. */
export function holdsJoiner(before: number, joiner: number, after: number): boolean {
  if (before < 0x80 && after < 0x80) return false
  return joinerAtWork.get(joiner)?.test(String.fromCodePoint(before, joiner, after)) ?? false
}

/** LRM, RLM, ALM: they order the text around them and enclose nothing, so one may stand anywhere. */
export function isDirectionMark(codePoint: number): boolean {
  return codePoint === 0x200e || codePoint === 0x200f || codePoint === 0x061c
}

/** Hexadecimal code points and ranges, as a part of a character class. */
function codePoints(...lines: readonly string[]): string {
  return lines.map((line) => line.replace(/[\dA-F]+/g, '\\u{$&}').replaceAll(' ', '')).join('')
}

/** Scripts by their Unicode names, as a part of a character class. */
function scripts(...lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split(' '))
    .map((name) => `\\p{Script=${name}}`)
    .join('')
}

function anyOf(...alternatives: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives.join('|')})`, 'u')
}
