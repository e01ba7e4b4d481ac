import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { run } from '../../src/cli/run.js'
import { root } from '../package/pack.js'

const example = join(root, 'examples/workspace')
const empty = mkdtempSync(join(tmpdir(), 'soulprompt-cli-'))
const file = join(empty, 'file.md')
writeFileSync(file, 'x')
afterAll(() => rmSync(empty, { recursive: true }))

async function soulprompt(...args: readonly string[]) {
  let out = ''
  let err = ''
  const code = await run(args, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

describe('soulprompt build', () => {
  it('prints the prompt to stdout and the account to stderr', async () => {
    const { code, out, err } = await soulprompt('build', example, '--now', '2026-02-16T09:30:00Z')
    expect(code).toBe(0)
    expect(out).toContain('<file name="SOUL.md">')
    expect(out).toContain('Today is Monday, 2026-02-16 (time zone: UTC).')
    expect(err).toMatch(/^\nsection +changes with +chars\nsafety +the code +\d+\n/)
    expect(err).toMatch(/\nMEMORY\.md +included +[\d,]+ +[\d,]+\n/)
    expect(err).toMatch(/\nHEARTBEAT\.md +filtered +– +–\n/)
  })

  it('obeys its flags', async () => {
    const flags = [
      '--session',
      'group',
      '--memory',
      'off',
      '--preset',
      'workspace',
      '--locale',
      'zh-CN',
      '--time-zone',
      'Asia/Tokyo',
    ]
    const { code, out, err } = await soulprompt('build', example, '--now', '2026-02-16T23:30:00Z', ...flags)
    expect(code).toBe(0)
    expect(out).toContain('# 项目上下文')
    expect(out).toContain('今天是 2026-02-17，星期二（时区：Asia/Tokyo）。')
    expect(err).toMatch(/\nUSER\.md +filtered/)
  })

  it('gives the whole result as JSON', async () => {
    const { out } = await soulprompt('build', example, '--json')
    const prompt = JSON.parse(out)
    expect(prompt.sections.map((section: { text: string }) => section.text).join('')).toBe(prompt.text)
  })

  it('builds from an empty folder, and says that it is empty', async () => {
    rmSync(file)
    const { code, out, err } = await soulprompt('build', empty)
    expect(code).toBe(0)
    expect(out).toContain('You have no persona yet.')
    expect(err).toMatch(/warning: No workspace file was found in node:/)
    writeFileSync(file, 'x')
  })

  it.each([
    [['build', join(empty, 'nowhere')], 1, 'there is no such folder'],
    [['build', file], 1, 'expected a folder, it is a file'],
    [['build', empty, empty], 2, 'expected one folder, got 2'],
    [['bild'], 2, 'unknown command bild; there is: build'],
    [['build', '--sesion', 'main'], 2, "Unknown option '--sesion'"],
    [
      ['build', '--session', 'party'],
      2,
      '--session: expected main, group, subagent, cron, heartbeat, boot, got "party"',
    ],
    [['build', '--memory', 'maybe'], 2, '--memory: expected on, off, got "maybe"'],
    [['build', '--preset', 'nice'], 2, '--preset: expected default, companion, workspace, got "nice"'],
    [['build', '--preset', 'toString'], 2, '--preset: expected'],
    [['build', '--locale', 'fr'], 2, '--locale: expected en, zh-CN, got "fr"'],
    [['build', '--now', 'tomorrow'], 2, '--now: expected an ISO date'],
    [['build', '--time-zone', 'Mars/Olympus'], 2, '--time-zone: expected an IANA zone'],
    [['build', '--now'], 2, "Option '--now <value>' argument missing"],
  ])('%j ends with %i', async (args, code, message) => {
    const result = await soulprompt(...args)
    expect(result.code).toBe(code)
    expect(result.out).toBe('')
    expect(result.err).toContain(message)
    expect(result.err.includes('Try: soulprompt --help')).toBe(code === 2)
    expect(result.err).not.toContain('    at ')
  })

  it('explains itself', async () => {
    const help = await soulprompt('--help')
    expect(help.code).toBe(0)
    for (const flag of ['--session', '--memory', '--preset', '--locale', '--now', '--time-zone', '--json']) {
      expect(help.out).toContain(flag)
    }
    expect(await soulprompt()).toEqual({ code: 2, out: '', err: help.out })
    expect((await soulprompt('--version')).out).toBe(`${packageJson.version}\n`)
  })

  it('lets no file name steer the terminal', async () => {
    const { report } = await import('../../src/cli/report.js')
    const source = { path: 'a\u001b[2J.md', layer: 'x', state: 'included', rawChars: 1, keptChars: 1 } as const
    const prompt = { sections: [], sources: [source], diagnostics: [], chars: 0 }
    expect(report(prompt as never)).not.toContain('\u001b')
  })
})
