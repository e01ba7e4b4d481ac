// How well tokens are estimated, and what it costs to count them. Medians of one run; the ratios matter.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as gpt from 'gpt-tokenizer/encoding/o200k_base'
import { countTokens } from 'soulprompt'
import { gptTokenCounter } from 'soulprompt/tokenizer'

const root = new URL('../../', import.meta.url)
const read = (path) => readFileSync(new URL(path, root), 'utf8')
const plain = { disallowedSpecial: new Set() }
const counter = await gptTokenCounter()
/** What `countTokens` says without a counter. */
const estimate = (text) => countTokens(text).tokens

/** The same files on every machine that has the same packages: by name, in order. */
function filesIn(folder, ending) {
  return readdirSync(new URL(folder, root), { recursive: true })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .sort()
    .map((name) => read(`${folder}/${name}`))
    .join('\n')
}

/** The messages of the TypeScript compiler, in 13 languages. */
function messages(language) {
  return Object.values(
    JSON.parse(read(`node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`)),
  ).join('\n')
}

/** What zod says of bad input, in languages of one script: the strings that hold its letters, what they fill in left out. */
function remarks(...languages) {
  const strings = languages.flatMap((language) => [
    ...read(`node_modules/zod/v4/locales/${language}.js`).matchAll(/["`]([^"`\n]*[^\0-\x7f][^"`\n]*)["`]/g),
  ])
  return strings.map(([, string]) => string.replace(/\$\{[^}]*\}/g, '5')).join('\n')
}

function numbersFrom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const next = numbersFrom(20_260_216)
const pick = (units) => units[Math.floor(next() * units.length)]
const drawn = (units, count) => Array.from({ length: count }, () => pick(units)).join('')
const wrapped = (units, width) => Array.from({ length: 60_000 / width }, () => drawn(units, width)).join('\n')
const letters = 'abcdefghijklmnopqrstuvwxyz'
const base64 = `${letters}${letters.toUpperCase()}0123456789+/`
const emoji = [...'😀😂🎉🚀🔥👍🌍🍕🐦🦆🏡🎵📎🧠💡✅🙏🥳📚', '👩‍💻', '🇩🇪', '❤️', '⚠️', ' ']

const readmes = [
  'fast-check',
  'openai',
  'semver',
  'protobufjs',
  'picomatch',
  'zod',
  'smol-toml',
  'expect-type',
  'fflate',
]
const corpora = {
  'English Markdown (READMEs of 9 packages)': readmes.map((name) => read(`node_modules/${name}/README.md`)).join('\n'),
  'Chinese Markdown (the zh-CN templates, Biome)':
    read('src/scaffold/templates/zh-CN.ts') + read('node_modules/@biomejs/biome/README.zh-CN.md'),
  'Chinese, simplified (messages of TypeScript)': messages('zh-cn'),
  'Chinese, traditional': messages('zh-tw'),
  Japanese: messages('ja'),
  Korean: messages('ko'),
  Russian: messages('ru'),
  German: messages('de'),
  French: messages('fr'),
  Spanish: messages('es'),
  Polish: messages('pl'),
  Turkish: messages('tr'),
  'Arabic script (remarks of zod in 5 languages)': remarks('ar', 'fa', 'ur', 'ps', 'ckb'),
  'Hebrew (remarks of zod)': remarks('he'),
  'Greek (remarks of zod)': remarks('el'),
  'Hindi, Bengali, Tamil and 3 more (remarks of zod)': remarks('hi', 'bn', 'ta', 'gu', 'kn', 'ne'),
  'Thai, Khmer (remarks of zod)': remarks('th', 'km'),
  'Ukrainian, Bulgarian and 3 more (remarks of zod)': remarks('uk', 'bg', 'be', 'mk', 'tg'),
  'Vietnamese (remarks of zod)': remarks('vi'),
  'TypeScript (src)': filesIn('src', '.ts'),
  'JavaScript (vitest)': filesIn('node_modules/vitest/dist', '.js').slice(0, 800_000),
  'JSON (package-lock.json)': read('package-lock.json'),
  'base64, wrapped': wrapped(base64, 76),
  'hexadecimal, wrapped': wrapped('0123456789abcdef', 64),
  emoji: drawn(emoji, 20_000),
}

const percent = (value) => `${value > 0 ? '+' : ''}${Math.round(value)}`
const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
const print = (...cells) => console.log(`| ${cells.join(' | ')} |`)
const title = (text, ...columns) => {
  console.log(`\n${text}\n`)
  print('', ...columns)
  print('---', ...columns.map(() => '---'))
}

/** Smaller where there is little text. */
const windowOf = (text) => (text.length < 40_000 ? 500 : 4_000)

function errors(text, guess) {
  const found = []
  const size = windowOf(text)
  for (let start = 0; start + size <= text.length; start += size) {
    const part = text.slice(start, start + size)
    found.push((guess(part) / counter.count(part) - 1) * 100)
  }
  found.sort((a, b) => a - b)
  return [0.05, 0.5, 0.95].map((part) => percent(at(found, part))).join(' / ')
}

title(
  'Error in percent over windows of 4,000 characters (500 of texts under 40,000), p5 / median / p95',
  'estimate',
  'characters / 4',
)
for (const [name, text] of Object.entries(corpora)) {
  print(
    name,
    errors(text, estimate),
    errors(text, (part) => part.length / 4),
  )
}

function time(work) {
  const start = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - start) / 1e6
}
const median = (times) =>
  at(
    times.sort((a, b) => a - b),
    0.5,
  )
/** A string of its own, as a file that was read: not a part of another, nor joined of several. */
const own = (text) => Buffer.from(text).toString()
const ms = (value) => (value < 0.1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(0))

/** In a process of its own, where nothing is compiled or remembered. */
function coldProcess(setup, count) {
  const script = `
    ${setup}
    const text = (await import('node:fs')).readFileSync(0, 'utf8')
    const start = process.hrtime.bigint()
    ${count}
    console.log(Number(process.hrtime.bigint() - start) / 1e6)`
  const input = corpora['English Markdown (READMEs of 9 packages)'].slice(0, 84_000)
  const run = () =>
    Number(
      execFileSync('node', ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        cwd: fileURLToPath(root),
        input,
      }),
    )
  return median(Array.from({ length: 7 }, run))
}

title('English Markdown of 84,000 characters, ms', 'gptTokenCounter', 'gpt-tokenizer', 'estimate')
const english = corpora['English Markdown (READMEs of 9 packages)']
const ours = `const { gptTokenCounter } = await import('soulprompt/tokenizer'); const counter = await gptTokenCounter()`
const theirs = `const gpt = await import('gpt-tokenizer/encoding/o200k_base'); gpt.countTokens('.')`
const estimating = `const { countTokens } = await import('soulprompt')`
print(
  'first text of a process',
  ms(coldProcess(ours, 'counter.count(text)')),
  ms(coldProcess(theirs, 'gpt.countTokens(text, { disallowedSpecial: new Set() })')),
  ms(coldProcess(estimating, 'countTokens(text)')),
)
const windows = Array.from({ length: 5 }, (_, index) =>
  own(filesIn('node_modules/typescript/lib', '.d.ts').slice(index * 84_000, (index + 1) * 84_000)),
)
for (const text of windows) counter.count(`${text}.`.slice(0, 84_000))
const fresh = windows.map((text) => own(text.replaceAll(' the ', ' teh ').replaceAll('e', 'é')))
print(
  'a new text, code compiled',
  ms(median(fresh.map((text) => time(() => counter.count(text))))),
  ms(
    median(
      fresh.map((text) => {
        gpt.clearMergeCache()
        return time(() => gpt.countTokens(text, plain))
      }),
    ),
  ),
  ms(median(fresh.map((text) => time(() => estimate(text))))),
)
const base = own(english.slice(0, 84_000))
counter.count(base)
const edited = Array.from({ length: 200 }, (_, index) => {
  const place = (index * 397) % 80_000
  return own(`${base.slice(0, place)}, edited ${index}${base.slice(place)}`)
})
print(
  'the same with one edit',
  ms(median(edited.map((text) => time(() => counter.count(text))))),
  ms(median(edited.slice(0, 20).map((text) => time(() => gpt.countTokens(text, plain))))),
  ms(median(edited.map((text) => time(() => estimate(text))))),
)
print('the same again', ms(median(edited.map(() => time(() => counter.count(base))))), '', '')

const million = 1_000_000
const runs = {
  'one letter': (size) => 'a'.repeat(size),
  spaces: (size) => ' '.repeat(size),
  newlines: (size) => '\n'.repeat(size),
  'one Chinese character': (size) => '中'.repeat(size),
  'Chinese without punctuation': (size) =>
    Array.from({ length: size }, () => String.fromCharCode(0x4e00 + Math.floor(next() * 3_000))).join(''),
  Thai: (size) => 'ภาษาไทย'.repeat(size / 7),
  emoji: (size) => '😀'.repeat(size / 2),
  'joined emoji': (size) => '👨‍👩‍👧'.repeat(size / 8),
  'combining marks': (size) => '\u0301'.repeat(size),
  'random letters': (size) => drawn(letters, size),
  'random punctuation': (size) => drawn('!#$%&()*+,-.', size),
  'base64 in one line': (size) => drawn(base64, size),
  '<|': (size) => '<|'.repeat(size / 2),
}
title('Runs without an end, ms', '100,000 characters', '1,000,000')
for (const [name, make] of Object.entries(runs)) {
  const [short, long] = [own(make(million / 10)), own(make(million))]
  print(name, ms(time(() => counter.count(short))), ms(time(() => counter.count(long))))
}

const memory = own(
  Array.from(
    { length: 110_000 },
    (_, index) =>
      `- ${index}: on day ${(index * 7) % 365} she said that ${index.toString(36)} mattered, and to keep it for later.`,
  ).join('\n'),
)
const half = memory.length / 2
const edits = {
  'first time': memory,
  unchanged: own(memory),
  'a line appended': own(`${memory}\n- one more line`),
  'a line at the start': own(`# Memory\n${memory}`),
  'a word in the middle': own(`${memory.slice(0, half)} or so ${memory.slice(half)}`),
}
title(`A file of ${(memory.length / million).toFixed(1)} MB, ms`, 'gptTokenCounter')
for (const [name, text] of Object.entries(edits)) print(name, ms(time(() => counter.count(text))))

const importing = (code) => coldProcess('', code)
title('In a fresh process, ms', '')
print("import 'soulprompt/tokenizer'", ms(importing("await import('soulprompt/tokenizer')")))
print('and the first counter', ms(importing(`${ours}`)))
print("import 'gpt-tokenizer/encoding/o200k_base', and its first count", ms(importing(theirs)))
