import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eachWay, later, temporaryWorkspace } from './workspace.js'

describe.each(eachWay)('%s: list', (_, open) => {
  test('gives the names of one level, of the root as well', async () => {
    const { root } = temporaryWorkspace({ 'a.md': '', 'memory/b.md': '', 'memory/old/c.md': '', 'memory/今天.md': '' })
    const files = open(root)
    expect([...(await files.list('memory'))].sort()).toEqual(['b.md', 'old', '今天.md'])
    for (const name of ['', '.']) expect([...(await files.list(name))].sort()).toEqual(['a.md', 'memory'])
    expect(await files.list('memory/old')).toEqual(['c.md'])
    expect(await files.list('./memory/old')).toEqual(['c.md'])
    expect(await files.list('none')).toEqual([])
    expect(await files.list('a.md/none')).toEqual([])
  })

  test('sees every change, and gives the same list for as long as there is none', async () => {
    const { root, put, inRoot } = temporaryWorkspace({ 'memory/0.md': '' })
    const files = open(root)
    for (let round = 1; round <= 100; round++) {
      put(`memory/${round}.md`, '')
      fs.rmSync(inRoot(`memory/${round - 1}.md`))
      const names = await files.list('memory')
      expect(names).toEqual([`${round}.md`])
      expect(await files.list('memory')).toBe(names)
    }
    later()
    const settled = await files.list('memory')
    expect(await files.list('memory')).toBe(settled)
    expect(Object.isFrozen(settled)).toBe(true)
    put('memory/more.md', '')
    expect([...(await files.list('memory'))].sort()).toEqual(['100.md', 'more.md'])
    fs.rmSync(inRoot('memory'), { recursive: true })
    expect(await files.list('memory')).toEqual([])
  })

  test('leaves out what comes and goes with a write, and gives the same list meanwhile', async () => {
    const { root, inRoot } = temporaryWorkspace({ 'memory/a.md': '', 'memory/.hidden.md': '' })
    const files = open(root)
    const names = await files.list('memory')
    expect([...names].sort()).toEqual(['.hidden.md', 'a.md'])
    fs.mkdirSync(inRoot('memory/.a.md.0123456789abcdef.soulprompt-lock'))
    fs.writeFileSync(inRoot('memory/.a.md.1-2.soulprompt-tmp'), '')
    expect(await files.list('memory')).toBe(names)
  })

  test('follows a link inside the root and none out of it', async () => {
    const { folder, root, inRoot } = temporaryWorkspace({ 'memory/a.md': '', 'file.md': '' })
    fs.symlinkSync('memory', inRoot('inside'))
    fs.mkdirSync(`${folder}/other`)
    fs.symlinkSync(folder, inRoot('outside'))
    fs.symlinkSync('none', inRoot('dangling'))
    fs.symlinkSync('circle', inRoot('circle'))
    const files = open(root)
    expect(await files.list('inside')).toEqual(['a.md'])
    expect(await files.list('dangling')).toEqual([])
    // Out and in again: what counts is where it ends.
    expect(await files.list('outside/root/memory')).toEqual(['a.md'])
    for (const directory of ['outside', 'outside/other', '..', '/', 'a\0']) {
      await expect(files.list(directory), directory).rejects.toMatchObject({
        name: 'PromptError',
        code: 'outside-root',
      })
    }
    for (const directory of ['file.md', 'circle']) {
      await expect(files.list(directory), directory).rejects.toMatchObject({ name: 'PromptError', code: 'io' })
    }
  })
})
