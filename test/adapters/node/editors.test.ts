import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { PromptError } from '../../../src/errors.js'
import { present, temporaryWorkspace } from './workspace.js'
import { errorOf, intercept, treeOf } from './writing.js'

describe('an editor that heeds no lock', () => {
  test('saves into the file before it is replaced: a conflict, and its text stays', async () => {
    const { root, put } = temporaryWorkspace({ 'a.md': 'before' })
    const files = nodeFileSystem(root)
    const { version } = await present(files, 'a.md')
    put('a.md', 'edited')
    const error = await errorOf(files.write('a.md', 'ours', { ifVersion: version }))
    expect(error).toMatchObject({ code: 'conflict', data: { path: 'a.md', expected: version } })
    expect(treeOf(root)).toEqual({ 'a.md': 'edited' })
  })

  test('saves into the file in the instant in which it is replaced: its text goes back, in the same file', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'a.md': 'before' })
    const files = nodeFileSystem(root)
    const { version } = await present(files, 'a.md')
    const { ino } = fs.statSync(inRoot('a.md'))
    let late: number | undefined
    const editor = fs.openSync(inRoot('a.md'), 'r+')
    onTestFinished(() => fs.closeSync(editor))
    intercept(['renameSync'], (_, original) => (...args) => {
      // Between the last look and the renaming.
      if (late === undefined) {
        fs.ftruncateSync(editor)
        late = fs.writeSync(editor, 'half of ', 0)
      }
      return original(...args)
    })
    const error = await errorOf(files.write('a.md', 'ours', { ifVersion: version }))
    expect(error).toMatchObject({ code: 'conflict', data: { path: 'a.md', expected: version } })
    expect(error.data).not.toHaveProperty('displaced')
    // What the editor writes from now on still lands where it is seen.
    fs.writeSync(editor, 'an edit', late)
    expect(fs.statSync(inRoot('a.md')).ino).toBe(ino)
    expect(treeOf(root)).toEqual({ 'a.md': 'half of an edit' })
  })

  test('puts another file in its place right after that: both texts are there, and the conflict names them', async () => {
    const { root, inRoot, put } = temporaryWorkspace({ 'a.md': 'before' })
    const files = nodeFileSystem(root)
    const { version } = await present(files, 'a.md')
    let renamed = false
    intercept(['renameSync'], (_, original) => (...args) => {
      if (renamed) return original(...args)
      renamed = true
      fs.writeFileSync(inRoot('a.md'), 'into it')
      original(...args)
      put('other.md', 'over it')
      fs.renameSync(inRoot('other.md'), inRoot('a.md'))
      return undefined
    })
    const error = await errorOf(files.write('a.md', 'ours', { ifVersion: version }))
    const { displaced } = error.data as { displaced: string }
    expect(error.message).toContain(`Its text is kept in ${displaced}.`)
    expect(treeOf(root)).toEqual({ 'a.md': 'over it', [displaced]: 'into it' })
  })

  test('puts another file in its place before the last look: a conflict with that', async () => {
    const { root, inRoot, put } = temporaryWorkspace({ 'a.md': 'before' })
    const files = nodeFileSystem(root)
    const { version } = await present(files, 'a.md')
    let linked = false
    intercept(['link'], (_, original) => async (...args) => {
      const result = await original(...args)
      if (!linked) {
        linked = true
        put('other.md', 'over it')
        fs.renameSync(inRoot('other.md'), inRoot('a.md'))
      }
      return result
    })
    expect(await errorOf(files.write('a.md', 'ours', { ifVersion: version }))).toMatchObject({ code: 'conflict' })
    expect(treeOf(root)).toEqual({ 'a.md': 'over it' })
  })

  test.each(['into', 'over'])(
    'saves %s the file 60 times while we write all the time: no save is lost',
    async (how) => {
      const { root, inRoot } = temporaryWorkspace({ 'a.md': '0' })
      const script = `
      const fs = require('fs'); const path = process.argv[1]; let save = 0
      const step = () => {
        save += 1
        const text = fs.readFileSync(path, 'utf8') + '\\nedit ' + save
        if (process.argv[2] === 'into') fs.writeFileSync(path, text)
        else { fs.writeFileSync(path + '~', text); fs.renameSync(path + '~', path) }
        // It is seen if it is still there, or in what we wrote on top of it.
        process.stdout.write(save + '\\n')
        if (save < 60) setTimeout(step, 7)
      }
      step()`
      const editor = spawn(process.execPath, ['-e', script, inRoot('a.md'), how], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(editor, 'exit')
      const files = nodeFileSystem(root, { durability: 'relaxed' })
      let isOver = false
      void ended.then(() => (isOver = true))
      let [ours, conflicts] = [0, 0]
      while (!isOver) {
        const [reading] = await files.read(['a.md'])
        if (reading?.state !== 'present') continue
        const text = `${reading.text}\nours ${ours + 1}`
        try {
          await files.write('a.md', text, { ifVersion: reading.version })
          ours += 1
        } catch (error) {
          if (!(error instanceof PromptError) || error.code !== 'conflict') throw error
          conflicts += 1
        }
      }
      const { text } = await present(files, 'a.md')
      // The editor itself may overwrite what we wrote since it read; we never overwrite what it saved.
      const lines = new Set(text.split('\n'))
      const kept = Array.from({ length: 60 }, (_, index) => `edit ${index + 1}`).filter((line) => lines.has(line))
      expect(kept.length).toBe(60)
      expect(ours).toBeGreaterThan(0)
      expect(conflicts).toBeGreaterThanOrEqual(0)
    },
    60_000,
  )
})

describe('records', () => {
  test.each(['log.jsonl', 'log.NDJSON'])(
    '%s: what is added starts on a line of its own, whatever a crash left',
    async (path) => {
      const { root, put } = temporaryWorkspace({ [path]: '{"a":1}\n{"b":' })
      const files = nodeFileSystem(root)
      await files.append(path, '{"c":3}\n')
      await files.append(path, '{"d":4}\n')
      expect((await present(files, path)).text).toBe('{"a":1}\n{"b":\n{"c":3}\n{"d":4}\n')
      put('log.md', 'no end')
      await files.append('log.md', ', and more')
      expect((await present(files, 'log.md')).text).toBe('no end, and more')
    },
  )
})

describe('durability', () => {
  test('relaxed asks the disk for nothing, full for the file and its folder', async () => {
    const { root } = temporaryWorkspace({ 'a.md': 'before' })
    let syncs = 0
    intercept(['fsync'], (_, original) => (...args) => {
      syncs += 1
      return original(...args)
    })
    const relaxed = nodeFileSystem(root, { durability: 'relaxed' })
    await relaxed.write('x/a.md', 'after')
    await relaxed.append('a.md', 'more')
    await relaxed.remove('x/a.md')
    expect(syncs).toBe(0)
    await nodeFileSystem(root).write('a.md', 'after')
    expect(syncs).toBe(2)
  })
})
