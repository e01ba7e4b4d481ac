import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { presets } from 'soulprompt'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../package/pack.js'
import { soulprompt, temporaryFolder } from './soulprompt.js'

const example = join(root, 'examples/workspace')
const empty = temporaryFolder()
const steering = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const file = join(empty, 'file.md')
writeFileSync(file, 'x')

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
    [['build', '--sesion', 'main'], 2, "Unknown option '--sesion'"],
    [
      ['build', '--session', 'party'],
      2,
      '--session: expected main, group, subagent, cron, heartbeat, boot, got "party"',
    ],
    [['build', '--memory', 'maybe'], 2, '--memory: expected on, off, got "maybe"'],
    [['build', '--preset', 'nice'], 2, `--preset: expected ${Object.keys(presets).join(', ')}, got "nice"`],
    [['build', '--preset', 'toString'], 2, '--preset: expected'],
    [['build', '--locale', 'fr'], 2, '--locale: expected en, zh-CN, got "fr"'],
    [['build', '--now', 'tomorrow'], 2, '--now: expected an ISO date'],
    [['build', '--now', '2026-02-30'], 2, '--now: expected an ISO date'],
    [['build', '--now', '2026-02-29T09:30:00Z'], 2, '--now: expected an ISO date'],
    [['build', '--now', '2026-02-16 (x)'], 2, '--now: expected an ISO date'],
    [['build', '--now', '2026-02-16T09:30:00Z (x)'], 2, '--now: expected an ISO date'],
    [['build', '--now', '2026-02-16T25:00:00Z'], 2, '--now: expected an ISO date'],
    [['build', '--now', '-5'], 2, "Option '--now' argument is ambiguous. Did you forget"],
    [['build', '--time-zone', 'Mars/Olympus'], 2, '--time-zone: expected an IANA zone'],
    [['build', '--now'], 2, "Option '--now <value>' argument missing"],
    [['build', '--soul'], 2, "Unknown option '--soul'"],
  ])('%j ends with %i', async (args, code, message) => {
    const result = await soulprompt(...args)
    expect(result.code).toBe(code)
    expect(result.out).toBe('')
    expect(result.err).toContain(message)
    expect(result.err.includes('Try: soulprompt build --help')).toBe(code === 2)
    expect(result.err).not.toContain('    at ')
  })

  it.each(['2026-02-16', '2026-02-16T09:30Z', '2026-02-16 09:30:00.5+02:00', '2026-02-16T09:30:00-0130'])(
    'takes %j for a time',
    async (time) => {
      const { code, out } = await soulprompt('build', example, '--now', time)
      expect(code).toBe(0)
      expect(out).toContain('Today is Monday, 2026-02-16')
    },
  )

  it.each([
    ['a command', ['bi\u001b[2Jld']],
    ['a folder', ['build', 'no\u001b]0;x\u0007\u009bwhere\u202e']],
    ['a flag', ['build', '--\u001b[31m']],
    ['a value', ['build', '--session', 'a\u009bb\u2028c\u202e']],
    ['folders', ['init', 'a\u001b[2J', 'b']],
  ])('lets %s not steer the terminal when it is refused', async (_, args) => {
    const { code, err } = await soulprompt(...args)
    expect(code).not.toBe(0)
    expect(err).toContain('\ufffd')
    expect(err.replaceAll('\n', '')).not.toMatch(steering)
  })

  it('lets no text steer the terminal by way of JSON, and keeps the value', async () => {
    const { printableJson } = await import('../../src/cli/report.js')
    const controls = [...Array(0x2100).keys()].map((code) => String.fromCharCode(code)).join('')
    const value = { [controls]: [controls, '\u2066\u2069 \\u202e é 中 😀'] }
    const json = printableJson(value)
    expect(JSON.parse(json)).toEqual(value)
    expect(json.replaceAll('\n', '')).not.toMatch(steering)
    expect(json).toContain('é 中 😀')

    const workspace = join(empty, 'steering')
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'SOUL.md'), 'Calm\u2028and \u05d0\u200f dry.')
    const [{ out }, plain] = [await soulprompt('build', workspace, '--json'), await soulprompt('build', workspace)]
    expect(out.replaceAll('\n', '')).not.toMatch(steering)
    expect(JSON.parse(out).text).toBe(plain.out)
  })

  it('lets no file name steer the terminal', async () => {
    const { report } = await import('../../src/cli/report.js')
    const source = { path: 'a\u001b[2J.md', layer: 'x', state: 'included', rawChars: 1, keptChars: 1 } as const
    const prompt = { sections: [], sources: [source], diagnostics: [], chars: 0 }
    expect(report(prompt as never)).not.toContain('\u001b')
  })
})

describe('soulprompt', () => {
  it('lists its commands', async () => {
    const help = await soulprompt('--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    for (const name of ['build', 'init', 'watch']) expect(help.out).toMatch(new RegExp(`^  soulprompt ${name} `, 'm'))
    expect(await soulprompt('help')).toEqual(help)
    expect(await soulprompt('-h')).toEqual(help)
    expect(await soulprompt()).toEqual({ code: 2, out: '', err: help.out })
    expect((await soulprompt('--version')).out).toBe(`${packageJson.version}\n`)
    expect((await soulprompt('-v')).out).toBe(`${packageJson.version}\n`)
  })

  it.each([
    ['build', ['--session', '--memory', '--preset', '--locale', '--now', '--time-zone', '--json', '--help']],
    ['init', ['--locale', '--soul', '--help']],
    ['watch', ['--session', '--memory', '--preset', '--locale', '--time-zone', '--help']],
  ])('%s explains itself', async (name, flags) => {
    const help = await soulprompt(name, '--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain(`soulprompt ${name} [dir]`)
    const listed = help.out.match(/^ .*?--[\w-]+/gm)?.map((line) => line.replace(/^.*--/, '--'))
    expect(listed?.toSorted()).toEqual(flags.toSorted())
    expect(help.out.split('\n').filter((line) => line.length > 120)).toEqual([])
    expect(await soulprompt('help', name)).toEqual(help)
    expect(await soulprompt(name, 'somewhere', '-h')).toEqual(help)
  })

  it.each([
    [['bild'], 'unknown command bild; there are: build, init, watch'],
    [['toString'], 'unknown command toString'],
    [['help', 'bild'], 'unknown command bild'],
    [['--session', 'main'], 'expected a command, got --session'],
    [[''], 'unknown command '],
  ])('%j is no command', async (args, message) => {
    const { code, out, err } = await soulprompt(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain('Try: soulprompt --help\n')
  })

  it.each([
    ['init', '--session'],
    ['init', '--json'],
    ['watch', '--json'],
    ['watch', '--now'],
    ['watch', '--soul'],
  ])('%s refuses %s, an option of another command', async (name, option) => {
    const { code, out, err } = await soulprompt(name, option)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toBe(`soulprompt: Unknown option '${option}'\nTry: soulprompt ${name} --help\n`)
  })
})
