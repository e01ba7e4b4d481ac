import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { templates as en } from '../../src/scaffold/templates/en.js'
import { templates as zhCN } from '../../src/scaffold/templates/zh-CN.js'
import { root } from '../package/pack.js'
import { soulprompt, temporaryFolder } from './soulprompt.js'

const folder = temporaryFolder()
const cli = join(root, 'dist/cli.js')
const created = ['AGENTS.md', 'IDENTITY.md', 'USER.md', 'TOOLS.md', 'HEARTBEAT.md', 'BOOTSTRAP.md']
const lines = (word: string, names: readonly string[]) => names.map((name) => `${word} ${name}\n`).join('')

/** All that there is below a folder: bytes and times. */
function stateOf(path: string): readonly (readonly [name: string, ...unknown[]])[] {
  return fs.readdirSync(path, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const found = fs.lstatSync(join(path, name), { bigint: true })
    const bytes = found.isFile() ? fs.readFileSync(join(path, name), 'hex') : ''
    return [[name, found.mtimeNs, found.mode, found.ino, bytes] as const]
  })
}

describe('soulprompt init', () => {
  it('creates the folder and its files, and says what is next', async () => {
    const target = join(folder, 'deep/in/here')
    const { code, out, err } = await soulprompt('init', target)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(`${lines('created', created)}See the prompt they give: npx soulprompt build ${target}\n`)
    expect(fs.readdirSync(target).toSorted()).toEqual(created.toSorted())
    for (const name of created) expect(fs.readFileSync(join(target, name), 'utf8')).toBe(en[name as keyof typeof en])
  })

  it('takes a language, and SOUL.md when asked', async () => {
    const target = join(folder, 'it is mine')
    const { out } = await soulprompt('init', target, '--locale', 'zh-CN', '--soul')
    expect(out).toContain('created SOUL.md\n')
    expect(out).toContain(`npx soulprompt build '${target}' --locale zh-CN\n`)
    expect(fs.readFileSync(join(target, 'SOUL.md'), 'utf8')).toBe(zhCN['SOUL.md'])
  })

  it('changes nothing the second time', async () => {
    const target = join(folder, 'twice')
    await soulprompt('init', target)
    const before = [fs.statSync(target, { bigint: true }).mtimeNs, stateOf(target)]
    const { code, out } = await soulprompt('init', target, '--locale', 'zh-CN')
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^${lines('kept', created)}`))
    expect([fs.statSync(target, { bigint: true }).mtimeNs, stateOf(target)]).toEqual(before)
  })

  it('leaves everything else as it is', async () => {
    const target = join(folder, 'lived-in')
    fs.mkdirSync(join(target, 'memory'), { recursive: true })
    for (const [name, text] of [
      ['USER.md', 'mine\r\n'],
      ['MEMORY.md', ''],
      ['photo.bin', '\0'],
      ['memory/2026-02-16.md', 'a note'],
    ] as const) {
      fs.writeFileSync(join(target, name), text)
    }
    const before = stateOf(target)
    const { out } = await soulprompt('init', target)
    expect(out).toContain('kept USER.md\n')
    expect(out).not.toContain('MEMORY')
    const names = before.map(([name]) => name)
    expect(names).toContain('USER.md')
    expect(stateOf(target).filter(([name]) => names.includes(name))).toEqual(before)
  })

  it('makes a workspace from which a first meeting is built', async () => {
    const target = join(folder, 'first')
    await soulprompt('init', target)
    const { code, out, err } = await soulprompt('build', target)
    expect(code).toBe(0)
    expect(out).toContain('<file name="BOOTSTRAP.md">')
    expect(out).toContain('You do not know your user well yet.')
    expect(out).not.toContain('<file name="MEMORY.md">')
    expect(err).not.toContain('warning')
  })

  it('refuses what is no folder and cannot become one, and leaves nothing behind', async () => {
    const file = join(folder, 'file.md')
    const link = join(folder, 'nowhere')
    fs.writeFileSync(file, 'x')
    fs.symlinkSync('gone', link)
    const before = stateOf(folder)
    for (const [target, message] of [
      [file, `${file}: expected a folder, it is a file`],
      [join(file, 'sub'), `${file}/sub: expected a folder or room for a new one, but what it would lie in is a file`],
      [join(folder, 'new', 'x'.repeat(300)), 'expected a folder or room for a new one, but ENAMETOOLONG'],
      [link, `${link}: there is no such folder`],
      ['', '"": there is no such folder'],
    ] as const) {
      const { code, out, err } = await soulprompt('init', target)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(/^soulprompt: [^\n]+\n$/)
      expect(err).toContain(message)
    }
    expect(stateOf(folder)).toEqual(before)
  })

  it('creates nothing in a folder that may not be written', () => {
    const target = join(folder, 'read-only')
    fs.mkdirSync(target)
    fs.chmodSync(folder, 0o755)
    fs.chmodSync(target, 0o555)
    // Root may write everywhere, so somebody else does it.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    for (const name of [target, join(target, 'new')]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'init', name], { encoding: 'utf8', ...user })
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/^soulprompt: [^\n]+\n$/)
      expect(stderr).toContain(target)
      expect(stderr).toMatch(/EACCES|permission/)
    }
    expect(fs.readdirSync(target)).toEqual([])
    fs.chmodSync(target, 0o755)
  })

  it('takes a new folder back in which nothing can be created', () => {
    const target = join(folder, 'open')
    fs.mkdirSync(target)
    fs.chmodSync(folder, 0o755)
    fs.chmodSync(target, 0o777)
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    // Whatever is created here may be used by nobody.
    const command = ['-c', 'umask 777; exec "$0" "$@"', process.execPath, cli, 'init', join(target, 'new')]
    const { status, stdout, stderr } = spawnSync('sh', command, { encoding: 'utf8', ...user })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^soulprompt: [^\n]+open\/new: expected a folder whose files can be read; AGENTS\.md [^\n]+\n$/,
    )
    expect(fs.readdirSync(target)).toEqual([])
  })

  it('keeps what is there and no file, and says so', async () => {
    const target = join(folder, 'odd')
    fs.mkdirSync(join(target, 'USER.md'), { recursive: true })
    const { code, out, err } = await soulprompt('init', target)
    expect(code).toBe(0)
    expect(out).toContain('left USER.md (it is a directory)\n')
    expect(out).not.toContain('kept')
    expect(err).toMatch(/^warning: USER\.md cannot be read: [^\n]+\n$/)
    expect(fs.readdirSync(join(target, 'USER.md'))).toEqual([])
    const again = await soulprompt('init', target)
    expect(again.out).toContain('kept AGENTS.md\n')
    expect(again.out).toContain('left USER.md (it is a directory)\n')
  })

  it.runIf(sep === '/').each([
    ['-foo', './-foo'],
    ['-a b', "'./-a b'"],
    ['a\\b', "'a\\b'"],
    ["it's", "'it'\\''s'"],
  ])('names the folder %j as a shell and the command take it', (name, shown) => {
    const cwd = fs.mkdtempSync(join(folder, 'names-'))
    const { status, stdout } = spawnSync(process.execPath, [cli, 'init', '--', name], { encoding: 'utf8', cwd })
    expect(status).toBe(0)
    const [, hint = ''] = stdout.split('npx soulprompt ')
    expect(hint).toBe(`build ${shown}\n`)
    // What is said can be done.
    const shell = ['-c', `"$0" "$1" ${hint}`, process.execPath, cli]
    expect(spawnSync('sh', shell, { encoding: 'utf8', cwd }).status).toBe(0)
  })

  it('takes the current folder by default', () => {
    const target = join(folder, 'here')
    fs.mkdirSync(target)
    const { status, stdout } = spawnSync(process.execPath, [cli, 'init'], { encoding: 'utf8', cwd: target })
    expect(status).toBe(0)
    expect(stdout).toMatch(/\nSee the prompt they give: npx soulprompt build \.\n$/)
    expect(fs.readdirSync(target).toSorted()).toEqual(created.toSorted())
  })

  it.each([
    [['a', 'b'], 'expected one folder, got 2: a b'],
    [['--locale', 'fr'], '--locale: expected en, zh-CN, got "fr"'],
    [['--soul=yes'], "Option '--soul' does not take an argument"],
  ])('refuses %j', async (args, message) => {
    const { code, out, err } = await soulprompt('init', ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })
})
