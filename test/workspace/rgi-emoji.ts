const property = '^\\p{RGI_Emoji}$'
const rgi = new RegExp(property, 'v')
const zwj = '\u200D'
const selector = '\uFE0F'
const tones = ['\u{1F3FB}', '\u{1F3FC}', '\u{1F3FD}', '\u{1F3FE}', '\u{1F3FF}']
const optionalTone = ['', ...tones]

/** What is joined to animals, flags, faces and things. */
const additions = [...'☠⬛🟩🟫❄🔥🩹💨💫🗨🌈⚧🦺↔↕🌫💥']

const arrow = `${zwj}\u27A1${selector}`

/** Every emoji sequence that the runtime's Unicode recommends for interchange: candidates, sifted by the property. */
export function rgiEmoji(): readonly string[] {
  const emoji = codePointsOf(/^\p{Emoji}$/u)
  const pictographs = codePointsOf(/^\p{Extended_Pictographic}$/u)
  const people = ['\u{1F468}', '\u{1F469}', '\u{1F9D1}']
  const children = ['\u{1F466}', '\u{1F467}', '\u{1F9D2}']
  const found = new Set<string>()
  const consider = (candidate: string) => rgi.test(candidate) && found.add(candidate)

  const simple = emoji.flatMap((base) => [base, base + selector, ...tones.map((tone) => base + tone)])
  simple.forEach(consider)
  for (const base of '0123456789#*') consider(`${base}${selector}\u20E3`)
  for (const first of regionalIndicators()) for (const second of regionalIndicators()) consider(first + second)
  for (const region of ['gbeng', 'gbsct', 'gbwls']) consider(tagFlag(region))

  const signs = ['\u2640', '\u2642'].map((sign) => zwj + sign + selector)
  const roles = pictographs.flatMap((object) => [zwj + object, zwj + object + selector])
  for (const base of simple) for (const sign of [...signs, arrow]) [sign, sign + arrow].map((s) => consider(base + s))
  for (const person of people) {
    for (const tone of optionalTone) {
      for (const role of roles) [role, role + arrow].map((suffix) => consider(person + tone + suffix))
    }
  }
  const couples = [...people, '\u{1F46F}', '\u{1FAF1}', '\u{1FAF2}'].flatMap((person) =>
    optionalTone.map((tone) => person + tone),
  )
  const links = ['\u{1F91D}', '\u2764\uFE0F', '\u2764\uFE0F\u200D\u{1F48B}', '\u{1F430}', '\u{1FAEF}']
  for (const first of couples) {
    for (const second of couples) {
      consider(first + zwj + second)
      for (const link of links) consider([first, link, second].join(zwj))
    }
  }
  for (const [one, two] of pairs(['', ...people], people)) {
    for (const [three, four] of pairs(['', ...children], children)) {
      consider([one, two, three, four].filter((member) => member !== '').join(zwj))
    }
  }
  for (const base of found) {
    if ([...base].length > 2) continue
    for (const addition of additions) {
      consider(base + zwj + addition)
      consider(base + zwj + addition + selector)
    }
  }
  return [...found]
}

function tagFlag(region: string): string {
  const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
  return `\u{1F3F4}${tags.join('')}\u{E007F}`
}

function regionalIndicators(): readonly string[] {
  return Array.from({ length: 26 }, (_, index) => String.fromCodePoint(0x1f1e6 + index))
}

function codePointsOf(pattern: RegExp): readonly string[] {
  const all = Array.from({ length: 0x20000 }, (_, codePoint) => String.fromCodePoint(codePoint))
  return all.filter((character) => pattern.test(character))
}

function pairs(first: readonly string[], second: readonly string[]): readonly (readonly [string, string])[] {
  return first.flatMap((one) => second.map((two) => [one, two] as const))
}
