import assert from 'node:assert/strict'
import { type Case, capable, present, readOne, rejectsWithConflict } from './under-test.js'

export const writingCases: readonly Case[] = [
  {
    name: 'writes what is read afterwards, and answers with it',
    needs: ['write'],
    async check({ files }) {
      const write = capable(files, 'write')
      for (const text of ['one', '', '\ufeff你好 🧑‍🚀\r\n']) {
        const written = await write('notes/a.md', text)
        const read = await present(files, 'notes/a.md')
        assert.deepEqual([written.text, read.text], [text, text])
        assert.equal(written.version, read.version)
      }
    },
  },
  {
    name: 'creates with ifVersion null, and only then',
    needs: ['write'],
    async check({ files }) {
      const write = capable(files, 'write')
      const { version } = await write('a.md', 'first', { ifVersion: null })
      const conflict = { path: 'a.md', expected: null, current: version }
      await rejectsWithConflict(write('a.md', 'second', { ifVersion: null }), conflict)
      assert.equal((await present(files, 'a.md')).text, 'first')
    },
  },
  {
    name: 'writes on the version it is given, and on no other',
    files: { 'a.md': 'one' },
    needs: ['write'],
    async check({ files, put, drop }) {
      const write = capable(files, 'write')
      const one = await present(files, 'a.md')
      const two = await write('a.md', 'two', { ifVersion: one.version })
      const late = { path: 'a.md', expected: one.version, current: two.version }
      await rejectsWithConflict(write('a.md', 'three', { ifVersion: one.version }), late)
      assert.equal((await present(files, 'a.md')).text, 'two')

      await put('a.md', 'other')
      const { version } = await present(files, 'a.md')
      const behind = { path: 'a.md', expected: two.version, current: version }
      await rejectsWithConflict(write('a.md', 'three', { ifVersion: two.version }), behind)
      await drop('a.md')
      const gone = { path: 'a.md', expected: version, current: null }
      await rejectsWithConflict(write('a.md', 'three', { ifVersion: version }), gone)
      assert.equal((await readOne(files, 'a.md')).state, 'missing')
    },
  },
  {
    name: 'refuses to write where it refuses to read',
    needs: ['write'],
    async check({ files }) {
      const write = capable(files, 'write')
      for (const path of ['../x', '/etc/x', 'a\\b', 'a\0', '']) await assert.rejects(write(path, 'x'), path)
    },
  },
  {
    name: 'appends, creating what is missing',
    needs: ['append'],
    async check({ files }) {
      const append = capable(files, 'append')
      await append('log/a.jsonl', 'one\n')
      await append('log/a.jsonl', 'two\n')
      assert.equal((await present(files, 'log/a.jsonl')).text, 'one\ntwo\n')
    },
  },
  {
    name: 'removes; with ifVersion only that version',
    files: { 'a.md': 'A', 'b.md': 'B' },
    needs: ['remove'],
    async check({ files, put }) {
      const remove = capable(files, 'remove')
      const { version } = await present(files, 'a.md')
      await put('a.md', 'changed')
      const changed = await present(files, 'a.md')
      const conflict = { path: 'a.md', expected: version, current: changed.version }
      await rejectsWithConflict(remove('a.md', { ifVersion: version }), conflict)
      await remove('a.md', { ifVersion: changed.version })
      await remove('b.md')
      await remove('none.md')
      assert.deepEqual(
        (await files.read(['a.md', 'b.md'])).map(({ state }) => state),
        ['missing', 'missing'],
      )
      const missing = { path: 'a.md', expected: version, current: null }
      await rejectsWithConflict(remove('a.md', { ifVersion: version }), missing)
    },
  },
]
