import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SystemPrompt } from 'soulprompt'
import { describe, expect, it } from 'vitest'
import { buildCase } from './fixture-case.js'

const root = fileURLToPath(new URL('./fixtures', import.meta.url))

/** The account beside the prompt: what became of each file and what was said about it. */
function account({ sources, sections, diagnostics, precedence }: SystemPrompt): string {
  const lines = [
    ...sections.map(({ id, stability }) => `section ${id} (${stability})`),
    ...sources.map(({ path, state, rawChars, keptChars }) => `source ${path} ${state} ${keptChars}/${rawChars}`),
    ...diagnostics.map(({ code, severity, message }) => `${severity} ${code}: ${message}`),
    ...(precedence.length > 0 ? [`precedence ${precedence.join(' > ')}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

describe.each(cases)('%s', (name) => {
  it.each(['sync', 'async'] as const)('gives the expected prompt and account (io: %s)', async (io) => {
    const prompt = await buildCase(join(root, name), io)
    for (const [file, text] of [
      ['prompt.md', prompt.text],
      ['account.txt', account(prompt)],
    ] as const) {
      const path = join(root, name, file)
      if (process.env.UPDATE === '1') writeFileSync(path, text)
      expect(existsSync(path), `${name}/${file}: run with UPDATE=1 to write it`).toBe(true)
      expect(text).toBe(readFileSync(path, 'utf8'))
    }
  })
})
