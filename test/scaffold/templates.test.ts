import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  type AgentOptions,
  buildSystemPrompt,
  completeBootstrap,
  defineAgent,
  type Locale,
  memoryFileSystem,
  presets,
  scaffoldWorkspace,
  type Turn,
} from 'soulprompt'
import { describe, expect, it } from 'vitest'
import { headingsOf } from '../../src/markdown/structure.js'
import { type TemplatePath, type Templates, templatePaths } from '../../src/scaffold/template-paths.js'
import { templates as en } from '../../src/scaffold/templates/en.js'
import { templates as zhCN } from '../../src/scaffold/templates/zh-CN.js'
import { textsByLocale } from '../../src/texts/index.js'
import { findFrontMatter } from '../../src/workspace/front-matter.js'
import { parseIdentity } from '../../src/workspace/identity.js'
import { markdownLines } from '../../src/workspace/markdown-lines.js'
import { isNearlyEmpty, significantChars } from '../../src/workspace/significance.js'

const byLocale: Readonly<Record<Locale, Templates>> = { en, 'zh-CN': zhCN }
const locales = Object.keys(byLocale) as Locale[]
const all = locales.flatMap((locale) => templatePaths.map((path) => [locale, path] as const))
const textOf = (locale: Locale, path: TemplatePath) => byLocale[locale][path]

/** The form with its blanks filled in, behind the label and in place of the hint. */
function filledIn(form: string, values: readonly string[]): string {
  const rest = [...values]
  const text = form.replace(/^(- \*\*.+?\*\*)(.*)$/gm, (_, label: string) => `${label} ${rest.shift() ?? ''}`)
  expect(rest).toEqual([])
  return text
}

/** The same by somebody who leaves the hints where they are. */
function filledInBeforeHints(form: string, values: readonly string[]): string {
  const rest = [...values]
  return form.replace(/^(- \*\*.+?\*\*)(.*)$/gm, (_, label: string, hint: string) => `${label} ${rest.shift()}${hint}`)
}

const users: Readonly<Record<Locale, readonly string[]>> = {
  en: [
    'Ann Brook',
    'Ann',
    'Europe/Lisbon',
    'English, Portuguese',
    'English',
    'short, dry',
    'Go on the server, Svelte in front',
  ],
  'zh-CN': [
    '林知夏',
    '小夏',
    'Asia/Shanghai',
    '中文、英语',
    '中文',
    '先说结论，理由两三句就够了，可以开玩笑',
    'TypeScript、PostgreSQL，家里一台小主机，平时在笔记本上写代码，周末折腾阳台上的传感器',
  ],
}
const identities: Readonly<Record<Locale, readonly string[]>> = {
  en: ['Wren', 'keeper of the lists', 'nothing gets forgotten twice', 'brisk and kind', '🪶', 'avatars/wren.png'],
  'zh-CN': ['阿灯', '记事的搭档', '同一件事不忘第二次', '利落，和气', '🏮', 'avatars/deng.png'],
}

describe('the templates', () => {
  it('are the same files with the same structure of headings in every language', () => {
    const levels = (locale: Locale) =>
      templatePaths.map((path) => [path, ...headingsOf(textOf(locale, path)).map(({ level }) => level)])
    expect(levels('zh-CN')).toEqual(levels('en'))
    for (const locale of locales) expect(Object.keys(byLocale[locale])).toEqual([...templatePaths])
    expect(templatePaths).not.toContain('MEMORY.md')
  })

  it.each(all)('%s/%s has a heading first, no front matter, a fair size, and ends with a line end', (locale, path) => {
    const text = textOf(locale, path)
    expect(text).toMatch(/^# \S.*\n\n[\s\S]*[^\n]\n$/)
    expect(findFrontMatter(text)).toBeUndefined()
    expect(text.length).toBeLessThan(6_000)
    expect(text).not.toMatch(/[ \t]$|\t|\n{3}|\r/m)
  })

  it.each(all)('%s/%s has no line of over 120 columns', (locale, path) => {
    const wide = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\u201c\u201d]/g
    const columns = (line: string) => line.length + (locale === 'en' ? 0 : (line.match(wide)?.length ?? 0))
    const long = textOf(locale, path)
      .split('\n')
      .filter((line) => columns(line) > 120)
    expect(long).toEqual([])
  })

  it.each(locales)('%s: USER.md and IDENTITY.md are blank forms', (locale) => {
    for (const path of ['USER.md', 'IDENTITY.md'] as const) {
      expect(significantChars(textOf(locale, path))).toBe(0)
      expect(parseIdentity(textOf(locale, path))).toEqual({})
    }
  })

  it.each(locales)('%s: USER.md filled in is not nearly empty', (locale) => {
    for (const fill of [filledIn, filledInBeforeHints]) {
      const text = fill(textOf(locale, 'USER.md'), users[locale])
      expect(isNearlyEmpty(text)).toBe(false)
    }
  })

  it.each(locales)('%s: IDENTITY.md filled in says who the agent is', (locale) => {
    const [name, role, goals, voice, emoji, avatar] = identities[locale]
    for (const fill of [filledIn, filledInBeforeHints]) {
      const text = fill(textOf(locale, 'IDENTITY.md'), identities[locale])
      expect(parseIdentity(text)).toEqual({ name, role, goals, voice, emoji, avatar })
    }
  })

  it.each(locales)('%s: HEARTBEAT.md holds headings, comments, rules and empty lists alone', (locale) => {
    const lines = markdownLines(textOf(locale, 'HEARTBEAT.md'))
    const said = lines.filter(({ kind, text }) => kind === 'text' || kind === 'row' || (kind === 'item' && text !== ''))
    expect(said).toEqual([])
    expect(lines.filter(({ kind }) => kind === 'heading').length).toBeGreaterThan(1)
    expect(significantChars(textOf(locale, 'HEARTBEAT.md'))).toBe(0)
  })

  it.each(locales)('%s: SOUL.md, AGENTS.md and BOOTSTRAP.md are real texts', (locale) => {
    for (const path of ['SOUL.md', 'AGENTS.md', 'BOOTSTRAP.md'] as const) {
      expect(significantChars(textOf(locale, path))).toBeGreaterThan(300)
    }
  })

  it.each(locales)('%s: AGENTS.md tells of notes, groups and platforms', (locale) => {
    const text = textOf(locale, 'AGENTS.md')
    for (const word of ['memory/YYYY-MM-DD.md', 'MEMORY.md', 'USER.md', 'TOOLS.md', 'Discord', 'WhatsApp']) {
      expect(text).toContain(word)
    }
    expect(headingsOf(text)).toHaveLength(7)
  })

  it.each(locales)('%s: no example of HEARTBEAT.md asks for a write, which its turn may not do', (locale) => {
    expect(textOf(locale, 'HEARTBEAT.md')).not.toContain('MEMORY.md')
  })

  it('zh-CN: the user has one name', () => {
    for (const path of templatePaths) expect(zhCN[path]).not.toContain('对方')
  })

  it.each(locales)('%s: no heading is one of the prompt’s, in any language', (locale) => {
    const ours = Object.values(textsByLocale).flatMap((texts) =>
      Object.values(texts).flatMap((text) => /^#+ .*$/.exec(text) ?? []),
    )
    expect(ours).toContain('# Persona')
    for (const path of templatePaths) {
      const own = headingsOf(textOf(locale, path)).map(({ level, title }) => `${'#'.repeat(level)} ${title}`)
      expect(own.filter((heading) => ours.includes(heading))).toEqual([])
    }
  })
})

async function promptOf(locale: Locale, options: { soul?: boolean; turn?: Turn; agent?: Partial<AgentOptions> } = {}) {
  const files = memoryFileSystem()
  await scaffoldWorkspace(files, { locale, soul: options.soul ?? false })
  const agent = defineAgent({ files, locale, ...options.agent })
  return { files, agent, prompt: await buildSystemPrompt(agent, options.turn) }
}

describe('a prompt of the templates', () => {
  const names = ['default', 'companion', 'workspace'] as const
  const cases = locales.flatMap((locale) => names.flatMap((name) => [true, false].map((soul) => [locale, name, soul])))

  it.each(cases as [Locale, (typeof names)[number], boolean][])(
    '%s, %s, SOUL.md %s: gives no warning in any session',
    async (locale, name, soul) => {
      for (const kind of ['main', 'group', 'subagent', 'cron', 'heartbeat', 'boot'] as const) {
        for (const memory of [true, false]) {
          for (const delimiter of ['tag', 'heading'] as const) {
            const agent = { preset: presets[name], delimiter }
            const { prompt } = await promptOf(locale, { soul, agent, turn: { session: { kind, memory } } })
            // Where a session may see SOUL.md alone, and there is none, the prompt says so.
            const seen = prompt.sources.filter(({ state }) => state !== 'filtered').map(({ path }) => path)
            const codes = prompt.diagnostics.map(({ code }) => code)
            expect(codes).toEqual(seen.join() === 'SOUL.md' && !soul ? ['workspace-empty'] : [])
            if (kind === 'main' && memory) expect(codes).toEqual([])
          }
        }
      }
    },
  )

  it.each(locales)('%s: is one of a first meeting', async (locale) => {
    const { prompt, files, agent } = await promptOf(locale)
    const texts = textsByLocale[locale]
    const fill = (text: string, file: string) => text.replace('{file}', file)
    expect(prompt.sections.map(({ id }) => id)).toContain('task/BOOTSTRAP.md')
    for (const sentence of [
      fill(texts.soulAbsent, 'SOUL.md'),
      fill(texts.userSparse, 'USER.md'),
      fill(texts.memoryAbsent, 'MEMORY.md'),
      fill(texts.taskBootstrap, 'BOOTSTRAP.md'),
    ]) {
      expect(prompt.text).toContain(sentence)
    }
    expect(prompt.sources.find(({ path }) => path === 'MEMORY.md')?.state).toBe('missing')

    await completeBootstrap(agent)
    expect((await buildSystemPrompt(agent)).sections.map(({ id }) => id)).not.toContain('task/BOOTSTRAP.md')
    expect((await files.read(['BOOTSTRAP.md']))[0]?.state).toBe('present')
  })

  it.each(locales)('%s: ends the first meeting as BOOTSTRAP.md says it', async (locale) => {
    const ends = {
      'USER.md': filledIn(textOf(locale, 'USER.md'), users[locale]),
      'IDENTITY.md': filledIn(textOf(locale, 'IDENTITY.md'), [identities[locale][0] ?? '']),
      'memory/2026-02-16.md': 'A note.',
    }
    const [, writing = ''] = textOf(locale, 'BOOTSTRAP.md').split(/^## .*(?:Write it down|写下来)$/m)
    const said = writing.split('\n1. ')[0]
    for (const [path, text] of Object.entries(ends)) {
      const { files, agent } = await promptOf(locale)
      await files.write(path, text)
      const { sections } = await buildSystemPrompt(agent)
      expect(sections.map(({ id }) => id)).not.toContain('task/BOOTSTRAP.md')
      expect(said).toContain(path.startsWith('memory/') ? 'memory/' : path)
    }
    const { files, agent } = await promptOf(locale)
    await files.write('SOUL.md', textOf(locale, 'SOUL.md'))
    expect((await buildSystemPrompt(agent)).sections.map(({ id }) => id)).toContain('task/BOOTSTRAP.md')
    expect(said).not.toContain('SOUL.md')
  })

  it.each(locales)('%s: is an ordinary one once the forms are filled in', async (locale) => {
    const { files, agent } = await promptOf(locale)
    await files.write('USER.md', filledIn(textOf(locale, 'USER.md'), users[locale]))
    await files.write('IDENTITY.md', filledIn(textOf(locale, 'IDENTITY.md'), identities[locale]))
    const { text, sections, diagnostics } = await buildSystemPrompt(agent)
    expect(sections.map(({ id }) => id)).not.toContain('task/BOOTSTRAP.md')
    expect(text).toContain(textsByLocale[locale].userRich)
    expect(diagnostics).toEqual([])
  })

  it.each(locales)('%s: is what its fixture shows', (locale) => {
    const folder = new URL(`../fixtures/scaffold-${locale.slice(0, 2)}/workspace/`, import.meta.url)
    const { 'SOUL.md': _, ...expected } = byLocale[locale]
    if (process.env.UPDATE === '1') {
      for (const [name, text] of Object.entries(expected)) writeFileSync(new URL(name, folder), text)
    }
    const shown = Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
    )
    expect(shown).toEqual(expected)
  })
})
