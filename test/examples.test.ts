import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './package/pack.js'

const examples = join(root, 'examples')
const programs = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'main.js')))

/** The output that stands in the README of a program, behind its command. */
const shownOutput = /(?<=\n```text\n)(?:.*\n)*?(?=```\n)/

describe.each(programs)('examples/%s', (name) => {
  it('prints what is shown beside it', () => {
    const output = execFileSync('node', [join(examples, name, 'main.js')], { encoding: 'utf8' })
    const readme = join(examples, name, 'README.md')
    const path = existsSync(readme) ? readme : join(examples, name, 'output.txt')
    if (process.env.UPDATE === '1') {
      writeFileSync(path, path === readme ? readFileSync(path, 'utf8').replace(shownOutput, () => output) : output)
    }
    const text = readFileSync(path, 'utf8')
    expect(path === readme ? shownOutput.exec(text)?.[0] : text).toBe(output)
  })
})

it('npm start prints the prompt of examples/workspace', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, command = ''] = scripts.start.split(' && node ')
  const output = execFileSync('node', command.split(' '), {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(output).toMatch(/^# Safety\n/)
  for (const path of [
    'AGENTS.md',
    'SOUL.md',
    'IDENTITY.md',
    'USER.md',
    'MEMORY.md',
    'TOOLS.md',
    'memory/2026-02-15.md',
    'memory/2026-02-16.md',
  ]) {
    expect(output).toContain(`<file name="${path}">`)
  }
})
