// What it costs to fit 84 KB in six files and 30 tools into a number of tokens, how much of it is used, and what of the
// prompt stays the same as files change; beside it @vscode/prompt-tsx on the same files, and reading without any budget.
// Medians of one run; the ratios matter, not the microseconds.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTokens as countByGpt } from 'gpt-tokenizer/encoding/o200k_base'
import {
  buildSystemPrompt,
  composeSystemPrompt,
  countTokens,
  defineAgent,
  diffPrompts,
  insertBefore,
  memoryFileSystem,
  presets,
  snapshotOf,
} from 'soulprompt'
import { gptTokenCounter } from 'soulprompt/tokenizer'
import { byFile, byParagraph, renderChunks } from './prompt-tsx/prompt-tsx.mjs'
import { stages } from './stages.mjs'
import { texts, tools } from './texts.mjs'

const budgets = [4_000, 12_000, 32_000]
const turn = { now: new Date('2026-02-16T18:00:00Z') }
const quarter = { name: 'chars/4', additive: true, count: ({ length }) => Math.ceil(length / 4) }
const exact = await gptTokenCounter()
/** How the budget counts, how the result is measured, and how prompt-tsx counts. */
const countings = [
  { name: 'chars/4', counter: quarter, count: quarter.count, peer: quarter.count },
  { name: 'our estimate', counter: undefined, count: (text) => countTokens(text).tokens, peer: undefined },
  { name: exact.name, counter: exact, count: exact.count, peer: countByGpt },
]

/** In ms, of at most `most` runs and about a third of a second. `before` is not measured. */
async function median(work, { most = 200, before = () => undefined } = {}) {
  const times = []
  await work(await before(-1))
  for (let run = 0, spent = 0; run < most && (run < 3 || spent < 300); run += 1) {
    const given = await before(run)
    const start = performance.now()
    await work(given)
    times.push(performance.now() - start)
    spent += times[run]
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]
}

function agentWith(budget, files = memoryFileSystem(texts), more = {}) {
  // Caps above every size, so that the total alone decides.
  return defineAgent({ files, tools, budget: { perFile: 100_000, reserve: 0, ...budget }, ...more })
}

const heading = (text) => console.log(`\n${text}`)
const row = (name, ...cells) => console.log(`  ${name.padEnd(38)}${cells.map((cell) => cell.padStart(18)).join('')}`)
const ms = (time) => `${time.toFixed(time < 1 ? 3 : 2)} ms`
const percent = (part) => `${(part * 100).toFixed(1)} %`

await readingAlone()
for (const tokens of budgets) for (const counting of countings) await fitting(tokens, counting)
await neverCounted()
await steadiness('without a total', {})
await steadiness('12,000 tokens by chars/4', { total: { tokens: 12_000, counter: quarter } })
await manySections()
await perStage()

async function readingAlone() {
  const folder = mkdtempSync(join(tmpdir(), 'soulprompt-bench-'))
  const paths = Object.keys(texts).map((path) => join(folder, path))
  Object.entries(texts).forEach(([path, text]) => {
    writeFileSync(join(folder, path), text)
  })
  heading('no budget at all')
  const readAll = async () => (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n\n')
  row('readFile + join', ms(await median(readAll)))
  rmSync(folder, { recursive: true })
}

async function fitting(tokens, { name, counter, count, peer }) {
  heading(`${tokens.toLocaleString('en')} tokens by ${name}`)
  const budget = { total: { tokens, counter } }
  const filled = (text) => percent(count(text) / tokens)

  const agent = agentWith(budget)
  const snapshot = snapshotOf(texts)
  const { text } = composeSystemPrompt(snapshot, agent, turn)
  const cold = await median((fresh) => composeSystemPrompt(snapshotOf(texts), fresh, turn), {
    before: () => agentWith(budget),
  })
  row('soulprompt, first turn', ms(cold), filled(text))
  row('soulprompt, nothing changed', ms(await median(() => composeSystemPrompt(snapshot, agent, turn))), filled(text))

  const files = memoryFileSystem(texts)
  const living = agentWith(budget, files)
  const edited = await median(() => buildSystemPrompt(living, turn), {
    before: (run) => files.write('MEMORY.md', `${texts['MEMORY.md']}- Line ${run} is new.\n`),
  })
  row('soulprompt, MEMORY.md appended to', ms(edited), filled((await buildSystemPrompt(living, turn)).text))

  if (peer === undefined) return
  const listed = tools.map(({ name, description }) => `- ${name}: ${description}\n`).join('')
  for (const split of [byFile, byParagraph]) {
    const chunks = split({ ...texts, tools: listed })
    const render = () => renderChunks(chunks, tokens, peer)
    const how = split === byFile ? 'file' : `paragraph (${chunks.length})`
    row(`prompt-tsx by ${how}`, ms(await median(render)), filled(await render()))
  }
}

/** Texts that were never counted: every line is another each time, so that nothing is remembered of it. */
async function neverCounted() {
  heading('12,000 tokens by o200k_base, of texts that were never counted')
  const words = 'red blue calm quick lamp river stone paper north evening copper garden'.split(' ')
  const fresh = (run) => {
    const line = (text, index) => (text === '' ? text : `${text} ${words[(run * 7 + index) % words.length]} ${run}`)
    const entries = Object.entries(texts).map(([path, text]) => [path, text.split('\n').map(line).join('\n')])
    return Object.fromEntries(entries.map(([path, text]) => [path, Buffer.from(text).toString()]))
  }
  const budget = { total: { tokens: 12_000, counter: exact } }
  const ours = await median(([snapshot, agent]) => composeSystemPrompt(snapshot, agent, turn), {
    most: 30,
    before: (run) => [snapshotOf(fresh(run)), agentWith(budget)],
  })
  const pass = (count) => (given) => given.map((text) => count(text))
  const before = (offset) => ({ most: 30, before: (run) => Object.values(fresh(run + offset)) })
  const plain = { disallowedSpecial: new Set() }
  const theirs = await median(
    pass((text) => countByGpt(text, plain)),
    before(1_000),
  )
  row('soulprompt, first turn', ms(ours), `${(ours / theirs).toFixed(2)} ×`)
  row('one pass of gpt-tokenizer', ms(theirs))
  row('one pass of gptTokenCounter', ms(await median(pass(exact.count), before(2_000))))
}

/** What stands before the first edited section has to stay the same, byte by byte. */
async function steadiness(name, budget) {
  heading(`what stays the same, ${name}`)
  row('', 'kept', 'before it', 'first', 'fresh tokens')
  const memory = texts['MEMORY.md']
  const edits = [
    ['MEMORY.md appended to', 'memory/MEMORY.md', { 'MEMORY.md': `${memory}- One line more.\n` }],
    ['MEMORY.md prepended to', 'memory/MEMORY.md', { 'MEMORY.md': `- One line more.\n\n${memory}` }],
    ['USER.md edited', 'user/USER.md', { 'USER.md': texts['USER.md'].replace('Mina', 'Mina Reis') }],
    ['another day', 'clock', {}, { now: new Date('2026-02-17T18:00:00Z') }],
    ['tools in another order', undefined, {}, { tools: tools.toReversed() }],
    ['a tool more', 'tools', {}, { tools: [...tools, { name: 'zoom', description: 'Looks closer.' }] }],
  ]
  for (const [what, id, written, changed] of edits) {
    const files = memoryFileSystem(texts)
    const agent = agentWith(budget, files)
    const before = await buildSystemPrompt(agent, turn)
    for (const [path, text] of Object.entries(written)) await files.write(path, text)
    const { kept, fresh, first } = diffPrompts(before, await buildSystemPrompt(agent, { ...turn, ...changed }))
    const end = id === undefined ? before.sections.length : before.sections.findIndex((section) => section.id === id)
    const due = before.sections.slice(0, end).reduce((sum, { chars }) => sum + chars, 0)
    row(what, `${kept.chars}`, percent(Math.min(1, kept.chars / due)), first?.section ?? '–', `${fresh.tokens}`)
  }
}

async function manySections() {
  heading('time a section, as there are more of them')
  for (const count of [100, 1_000, 10_000]) {
    const many = Array.from({ length: count }, (_, index) => ({
      id: `note-${index}`,
      text: `Note ${index}: ${texts['SOUL.md'].slice(index % 4_000, (index % 4_000) + 120).trim()}`,
      priority: index % 7,
    }))
    const layer = { id: 'many', stability: 'workspace', render: () => many }
    const layers = insertBefore(presets.default.layers, 'hints', layer)
    for (const [name, budget] of [
      ['no total', {}],
      ['half of it fits', { total: { chars: count * 70 + 4_000 } }],
    ]) {
      const time = await median((agent) => composeSystemPrompt(snapshotOf({}), agent, turn), {
        most: 30,
        before: () => agentWith(budget, memoryFileSystem({}), { layers }),
      })
      row(`${count.toLocaleString('en')} sections, ${name}`, ms(time), `${((time / count) * 1_000).toFixed(2)} µs each`)
    }
  }
}

async function perStage() {
  heading('each stage of a first turn, 12,000 tokens; fitting puts sections into words to measure them')
  const build = await stages()
  for (const { name, counter } of countings) {
    const times = { compose: [], fit: [], render: [] }
    for (let run = 0; run < 40; run += 1) {
      const spent = build({
        texts,
        tools,
        turn,
        budget: { perFile: 100_000, reserve: 0, total: { tokens: 12_000, counter } },
      })
      for (const [stage, time] of Object.entries(spent)) times[stage].push(time)
    }
    const middle = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
    row(name, ...Object.entries(times).map(([stage, list]) => `${stage} ${ms(middle(list))}`))
  }
}
