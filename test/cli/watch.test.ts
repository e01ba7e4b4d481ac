import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { root } from '../package/pack.js'
import { started, temporaryFolder } from './soulprompt.js'

const folder = temporaryFolder()
const cli = join(root, 'dist/cli.js')
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function watching(...args: readonly string[]) {
  const running = started(['watch', ...args])
  stops.push(running.stop)
  return running
}

let count = 0
function workspace(files: Readonly<Record<string, string>>) {
  const path = join(folder, `ws-${++count}`)
  const put = (name: string, text: string) => fs.writeFileSync(join(path, name), text)
  fs.mkdirSync(path)
  for (const [name, text] of Object.entries(files)) put(name, text)
  return { path, put, drop: (name: string) => fs.rmSync(join(path, name)) }
}

describe('soulprompt watch', () => {
  it('says first what there is, then what changes, and nothing else', async () => {
    const { path, put, drop } = workspace({ 'SOUL.md': 'Calm.', 'AGENTS.md': 'Be kind.' })
    const { said, stop } = watching(path)
    await said((out) => /chars\n$/.test(out))
    put('SOUL.md', 'Calm and dry.')
    await said((out) => out.includes('persona/SOUL.md'))
    put('SOUL.md', 'Calm and dry.')
    put('TOOLS.md', 'A printer.')
    await said((out) => out.includes('tools/TOOLS.md'))
    drop('TOOLS.md')
    await said((out) => out.includes('removed'))
    const { code, out, err } = await stop()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [first = '', ...lines] = out.trimEnd().split('\n')
    expect(first).toMatch(/: \d sections, [\d,]+ chars$/)
    expect(first.startsWith(`${path}: `)).toBe(true)
    expect(lines.map((line) => line.replace(/\d+/g, 'N'))).toEqual([
      'changed persona/SOUL.md  N → N chars',
      'total N sections, N chars',
      'added   tools/TOOLS.md  N chars',
      'total N sections, N chars',
      'removed tools/TOOLS.md  N chars',
      'total N sections, N chars',
    ])
    const [before, after] = lines[0]?.match(/\d+/g)?.map(Number) ?? []
    expect((after ?? 0) - (before ?? 0)).toBe(' and dry'.length)
    expect(first.match(/\d+/g)?.slice(-2)).toEqual(expect.arrayContaining([/(\d+) sections/.exec(out)?.[1]]))
  })

  it('waits for a folder that is not there yet, and again when it goes away', async () => {
    const path = join(folder, 'later')
    const { said, stop } = watching(path)
    await said((_, err) => err !== '')
    fs.mkdirSync(path)
    fs.writeFileSync(join(path, 'SOUL.md'), 'Calm.')
    await said((out) => out.includes('chars'))
    fs.rmSync(path, { recursive: true })
    await said((_, err) => err.split('\n').length === 3)
    fs.mkdirSync(path)
    fs.writeFileSync(join(path, 'SOUL.md'), 'Quiet.')
    await said((out) => out.includes('changed persona/SOUL.md'))
    const { err } = await stop()
    const line = `soulprompt: ${path}: there is no such folder; waiting for it\n`
    expect(err).toBe(line + line)
  })

  it('says a build that fails, goes on, and says it again when it fails again', async () => {
    const { path, put, drop } = workspace({ 'SYSTEM_PROMPT.md': 'You are one.' })
    const { said, stop } = watching(path, '--preset', 'segments')
    await said((out) => out.includes('chars'))
    drop('SYSTEM_PROMPT.md')
    await said((_, err) => err.includes('watching goes on'))
    put('SYSTEM_PROMPT.md', 'You are two of them.')
    await said((out) => out.includes('changed'))
    drop('SYSTEM_PROMPT.md')
    await said((_, err) => err.split('watching goes on').length === 3)
    const { code, err } = await stop()
    expect(code).toBe(0)
    expect(err.trimEnd().split('\n')).toHaveLength(2)
    expect(err).toMatch(/^soulprompt: .*SYSTEM_PROMPT\.md.*[^.]; watching goes on\n/)
  })

  it('says each warning once', async () => {
    const { path, put } = workspace({ 'SOUL.md': '---\na: [\n---\nCalm.', 'USER.md': 'Ann' })
    const { said, stop } = watching(path)
    await said((out, err) => out !== '' && err !== '')
    put('USER.md', 'Anna')
    await said((out) => out.includes('user/USER.md'))
    put('AGENTS.md', `${'x'.repeat(90)}\n`.repeat(300))
    await said((_, err) => err.includes('AGENTS.md'))
    const { err } = await stop()
    const lines = err.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^warning: The front matter of SOUL\.md/)
    expect(lines[1]).toMatch(/^warning: AGENTS\.md has 27300 chars/)
  })

  it('obeys its flags', async () => {
    const { path, put } = workspace({ 'AGENTS.md': '要和气。', 'USER.md': 'Ann' })
    const { said, stop } = watching(path, '--session', 'group', '--memory', 'off', '--locale', 'zh-CN')
    await said((out) => out.includes('chars'))
    put('USER.md', 'Anna')
    put('AGENTS.md', '要更和气。')
    await said((out) => out.includes('total'))
    expect((await stop()).out).not.toContain('USER.md')
  })

  it('refuses what is no folder', async () => {
    const { path } = workspace({ 'file.md': 'x' })
    const { code, out, err } = await started(['watch', join(path, 'file.md')]).ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('expected a folder, it is a file')
    expect((await started(['watch', '']).ended).code).toBe(1)
    expect((await started(['watch', path, path]).ended).code).toBe(2)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('as a process: sees an edit, and ends well on %s', async (signal) => {
    const { path, put } = workspace({ 'SOUL.md': 'Calm.' })
    const child = spawn(process.execPath, [cli, 'watch', path], { stdio: ['ignore', 'pipe', 'pipe'] })
    stops.push(() => child.kill('SIGKILL'))
    let out = ''
    const line = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`not said in time: ${text}\n${out}`)), 20_000)
        const look = () => {
          if (!out.includes(text)) return
          clearTimeout(late)
          child.stdout.off('data', look)
          resolve()
        }
        child.stdout.on('data', look)
        look()
      })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    await line(`${path}: `)
    put('SOUL.md', 'Calm and dry.')
    await line('changed persona/SOUL.md')
    const ended = new Promise((resolve) => child.on('exit', (...how) => resolve(how)))
    child.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(out).not.toContain('\u001b')
  })

  it('shows the notes of the day in the zone asked for', async () => {
    const { path } = workspace({ 'SOUL.md': 'Calm.' })
    const { said } = watching(path, '--time-zone', 'Pacific/Kiritimati')
    await said((out) => out.includes('chars'))
    const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)
    fs.mkdirSync(join(path, 'memory'))
    fs.writeFileSync(join(path, 'memory', `${today}.md`), 'A note.')
    await said((out) => out.includes(`added   memory/memory/${today}.md`))
  })
})
