import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { root } from '../package/pack.js'

const cli = join(root, 'dist/cli.js')
const example = join(root, 'examples/workspace')
const command = [cli, 'build', example, '--now', '2026-02-16T09:30:00Z']

describe('soulprompt as a process', () => {
  it('gives the whole prompt and its exit code where stderr is closed early', async () => {
    const whole = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] })
    const expected = await text(whole.stdout)
    expect(expected).toContain('Today is Monday')
    // The other end of stderr is gone before the first word.
    const closed = spawn('sh', ['-c', 'exec "$0" "$@" 2>&3', process.execPath, ...command], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    closed.stdio[3]?.destroy()
    const [out, [code]] = await Promise.all([closed.stdout && text(closed.stdout), once(closed, 'exit')])
    expect({ out, code }).toEqual({ out: expected, code: 0 })

    const refused = spawn('sh', ['-c', 'exec "$0" "$@" 2>&3', process.execPath, cli, 'bild'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    refused.stdio[3]?.destroy()
    expect((await once(refused, 'exit'))[0]).toBe(2)
  })

  it.runIf(fs.existsSync('/dev/full'))('says in a sentence that stdout takes nothing more', async () => {
    const full = fs.openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [...command, '--json'], { stdio: ['ignore', full, 'pipe'] })
    fs.closeSync(full)
    const [err, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'exit')])
    expect(code).toBe(1)
    expect(err).toMatch(/^soulprompt: the output could not be written: ENOSPC[^\n]*$/m)
    expect(err).not.toContain('    at ')
  })

  it('is no failure where stdout is closed early', async () => {
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(code).toBe(0)
    expect(err).not.toContain('EPIPE')
  })
})
