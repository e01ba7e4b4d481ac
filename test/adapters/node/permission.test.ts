import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compiled } from './compiled.js'
import { temporaryWorkspace } from './workspace.js'

/** Root may read everything, so the reading is done by a process that has given up its rights. */
const reader = `
  const [entry, root, io] = process.argv.slice(1)
  const { nodeFileSystem } = await import(entry)
  if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
  const files = nodeFileSystem(root, { io })
  const readings = await files.read(['open.md', 'closed.md', 'closed/a.md', 'link.md', 'blind/a.md', 'none.md'])
  const lists = await Promise.all(['closed', 'blind', 'none'].map((name) => files.list(name).catch((error) => error.code)))
  const fates = readings.map((reading) => [reading.path, reading.reason ?? reading.state])
  console.log(JSON.stringify({ user: process.getuid(), fates: Object.fromEntries(fates), lists }))
`

describe.skipIf(process.getuid === undefined)('without permission', () => {
  test.each(['sync', 'async', 'auto'])('%s: the file says so, and the others are read', (io) => {
    const { folder, root, inRoot, put } = temporaryWorkspace({ 'open.md': 'open', 'closed.md': 'closed' })
    put('closed/a.md', 'closed')
    put('blind/a.md', 'may be opened, but not listed')
    fs.symlinkSync('closed/a.md', inRoot('link.md'))
    for (const path of [folder, root]) fs.chmodSync(path, 0o755)
    fs.chmodSync(inRoot('open.md'), 0o644)
    fs.chmodSync(inRoot('blind/a.md'), 0o644)
    fs.chmodSync(inRoot('closed.md'), 0)
    fs.chmodSync(inRoot('closed'), 0)
    fs.chmodSync(inRoot('blind'), 0o711)
    if (process.getuid?.() !== 0) fs.chmodSync(inRoot('blind'), 0o311)

    const entry = pathToFileURL(compiled(folder)).href
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', reader, entry, root, io], {
      encoding: 'utf8',
    })
    fs.chmodSync(inRoot('closed'), 0o755)
    const { user, fates, lists } = JSON.parse(output)
    expect(user).not.toBe(0)
    expect(fates).toEqual({
      'open.md': 'present',
      'closed.md': 'permission',
      'closed/a.md': 'permission',
      'link.md': 'permission',
      'blind/a.md': 'present',
      'none.md': 'missing',
    })
    expect(lists).toEqual(['io', 'io', []])
  })
})
