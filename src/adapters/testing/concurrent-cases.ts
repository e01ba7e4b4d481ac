import assert from 'node:assert/strict'
import type { FileSnapshot, FileSystem } from '../../ports/file-system.js'
import { type Case, capable, present, rejectsWithConflict } from './under-test.js'

const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`)

export const concurrentCases: readonly Case[] = [
  {
    name: 'lets one of several writes on the same version win, and tells the others of it',
    files: { 'a.md': 'start' },
    needs: ['write'],
    async check({ files }) {
      const { version } = await present(files, 'a.md')
      await oneWins(files, version)
    },
  },
  {
    name: 'lets one of several writes create a file, and tells the others of it',
    needs: ['write'],
    async check({ files }) {
      await oneWins(files, null)
    },
  },
  {
    name: 'loses no edit of 5 writers that read again and try again after a conflict',
    files: { 'a.md': '' },
    needs: ['write'],
    async check({ files }) {
      const edits = Array.from({ length: 5 }, (_, writer) =>
        Array.from({ length: 4 }, (_, edit) => `writer ${writer}, edit ${edit}\n`),
      )
      await Promise.all(
        edits.map(async (own) => {
          for (const line of own) await addLine(files, line)
        }),
      )
      const { text } = await present(files, 'a.md')
      assert.deepEqual(linesOf(text), edits.flat().sort(), 'every edit is there, once')
    },
  },
  {
    name: 'loses no text of several appends at once, and mixes none',
    files: { 'a.jsonl': 'first\n' },
    needs: ['append'],
    async check({ files }) {
      const append = capable(files, 'append')
      for (const path of ['a.jsonl', 'new/b.jsonl']) {
        const lines = texts.map((text) => `${text} ${'你'.repeat(1_000)}\n`)
        await Promise.all(lines.map((line) => append(path, line)))
        const expected = path === 'a.jsonl' ? ['first\n', ...lines] : lines
        assert.deepEqual(linesOf((await present(files, path)).text), [...expected].sort(), 'every text is there, once')
      }
    },
  },
]

async function oneWins(files: FileSystem, ifVersion: string | null): Promise<void> {
  const write = capable(files, 'write')
  const writes = texts.map((text) => write('a.md', text, { ifVersion }))
  const outcomes = await Promise.allSettled(writes)
  const won = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [{ ...outcome, index }] : []))
  const [winner] = won
  assert.ok(winner !== undefined && won.length === 1, `exactly one write succeeds, and ${won.length} did`)
  const { text, version } = await present(files, 'a.md')
  assert.deepEqual([text, version], [texts[winner.index], winner.value.version])
  const conflict = { path: 'a.md', expected: ifVersion, current: version }
  const losers = writes.filter((_, index) => index !== winner.index)
  for (const loser of losers) await rejectsWithConflict(loser, conflict)
}

/** As every writer does that shares a file: read, write on that version, and from the start where somebody was quicker. */
async function addLine(files: FileSystem, line: string): Promise<FileSnapshot> {
  const write = capable(files, 'write')
  // Of 5 writers one gets through each time, so that none of 20 edits waits for more than the 19 others.
  for (let attempt = 0; attempt < 20; attempt++) {
    const { text, version } = await present(files, 'a.md')
    try {
      return await write('a.md', text + line, { ifVersion: version })
    } catch (error) {
      if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'conflict') throw error
    }
  }
  return assert.fail('somebody else wrote 20 times, and there are but 19 other edits')
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/(?<=\n)/)
    .filter((line) => line !== '')
    .sort()
}
