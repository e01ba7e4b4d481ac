import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSystemPrompt, composeSystemPrompt, defineAgent, loadWorkspace, memoryFileSystem } from 'soulprompt'
import { describe, expect, it } from 'vitest'
import { house } from './house-layout.js'

const files = memoryFileSystem({
  'SOUL.md': 'A patient housemate.',
  'HOUSE.md': `# Kitchen\n\nWash up the same day.\n\n${'No shoes inside. '.repeat(12)}`,
  'USER.md': 'Ines.',
})
const agent = defineAgent({ files, preset: house, base: 'You look after a shared house.' })

describe('a layout and layers of one’s own', () => {
  it('are one file that knows the public face alone', () => {
    const source = readFileSync(fileURLToPath(new URL('./house-layout.ts', import.meta.url)), 'utf8')
    expect([...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from)).toEqual(['soulprompt'])
  })

  it('go through every stage as the library’s own do', async () => {
    const turn = { now: new Date('2026-02-16T09:30:00Z'), hints: ['The boiler is off.'] }
    const prompt = await buildSystemPrompt(agent, turn)
    expect(prompt.text).toBe(
      `${[
        'You look after a shared house.',
        '# Persona',
        'A patient housemate.',
        'Let the persona defined above shape your character and tone.',
        '# House rules',
        '# Kitchen\n\nWash up the same day.\n\nNo shoes inside. No shoes inside. No shoes inside.',
        '[...]',
        'nside. No shoes inside.',
        '---\n# At home',
        '- Ines\n- Bo',
        '# Runtime state',
        'The boiler is off.',
      ].join('\n\n')}\n\n`,
    )
    expect(prompt.sections.map(({ id, stability }) => `${id} ${stability}`)).toEqual([
      'base static',
      'persona/SOUL.md workspace',
      'house-rules/HOUSE.md workspace',
      'present turn',
      'hints turn',
    ])
    expect(prompt.sources.map(({ path, state }) => `${path} ${state}`)).toEqual([
      'SOUL.md included',
      'HOUSE.md truncated',
    ])
    const snapshot = await loadWorkspace(agent, turn)
    expect(composeSystemPrompt(snapshot, agent, turn).text).toBe(prompt.text)
  })

  it('are told who is listening', async () => {
    const { text } = await buildSystemPrompt(agent, { session: { kind: 'group' } })
    expect(text).toContain('# House rules')
    expect(text).not.toContain('# At home')
  })
})
