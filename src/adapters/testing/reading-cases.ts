import assert from 'node:assert/strict'
import { asPresent, type Case, capable, present, readOne } from './under-test.js'

const wholeUnits = 2 ** 20
const endUnits = 2 ** 18

export const readingCases: readonly Case[] = [
  {
    name: 'answers in the order of the paths, one answer each, under the names asked for',
    files: { 'a.md': 'A', 'b.md': 'B', 'c.md': 'C' },
    async check({ files }) {
      const readings = await files.read(['c.md', 'none.md', 'a.md', 'c.md', 'b.md'])
      assert.deepEqual(
        readings.map(({ path }) => path),
        ['c.md', 'none.md', 'a.md', 'c.md', 'b.md'],
      )
      const texts = readings.map((reading) => (reading.state === 'present' ? reading.text : reading.state))
      assert.deepEqual(texts, ['C', 'missing', 'A', 'C', 'B'])
      assert.deepEqual(await files.read([]), [])
    },
  },
  {
    name: 'says of a missing file that it is missing, and of a removed one',
    files: { 'a.md': 'A' },
    async check({ files, drop }) {
      assert.deepEqual(await readOne(files, 'b.md'), { state: 'missing', path: 'b.md' })
      assert.equal((await readOne(files, 'none/b.md')).state, 'missing')
      await present(files, 'a.md')
      await drop('a.md')
      assert.deepEqual(await readOne(files, 'a.md'), { state: 'missing', path: 'a.md' })
    },
  },
  {
    name: 'reads files in folders',
    files: { 'memory/2026-02-16.md': 'one', 'a/b/c.md': 'two' },
    async check({ files }) {
      assert.equal((await present(files, 'memory/2026-02-16.md')).text, 'one')
      assert.equal((await present(files, 'a/b/c.md')).text, 'two')
    },
  },
  {
    name: 'takes "./NAME" for NAME',
    files: { 'SOUL.md': 'calm' },
    async check({ files }) {
      const snapshot = await present(files, './SOUL.md')
      assert.deepEqual([snapshot.text, snapshot.path], ['calm', './SOUL.md'])
    },
  },
  {
    name: 'reads an empty file as present',
    files: { 'empty.md': '' },
    async check({ files }) {
      const { text, length } = await present(files, 'empty.md')
      assert.deepEqual({ text, length }, { text: '', length: 0 })
    },
  },
  ...[
    ['a byte order mark', '\ufeff# Title'],
    ['newlines of every kind', 'a\r\nb\rc\n\u2028d\n'],
    ['text beyond the basic plane', '你好 🧑‍🚀 e\u0301 \u{2070E} x²'],
  ].map(
    ([what = '', text = '']): Case => ({
      name: `keeps ${what} as it is`,
      files: { 'a.md': text },
      async check({ files }) {
        const snapshot = await present(files, 'a.md')
        assert.equal(snapshot.text, text)
        assert.equal(snapshot.length, text.length)
        assert.equal(snapshot.gap, undefined)
        assert.equal(snapshot.lossy, undefined)
      },
    }),
  ),
  {
    name: 'gives equal versions to equal contents and others to others, also after A, B, A',
    files: { 'a.md': 'A' },
    async check({ files, put }) {
      const first = await present(files, 'a.md')
      await put('a.md', 'B')
      const second = await present(files, 'a.md')
      await put('a.md', 'A')
      const third = await present(files, 'a.md')
      assert.deepEqual([first.text, second.text, third.text], ['A', 'B', 'A'])
      assert.notEqual(second.version, first.version)
      assert.equal(third.version, first.version)
    },
  },
  {
    name: 'gives an unchanged file the same version on each read',
    files: { 'a.md': 'A', 'b.md': 'B' },
    async check({ files }) {
      const versions = async () => (await files.read(['a.md', 'b.md'])).map((reading) => asPresent(reading).version)
      const before = await versions()
      for (let round = 0; round < 5; round++) assert.deepEqual(await versions(), before)
      assert.notEqual(before[0], before[1])
    },
  },
  {
    name: 'sees each of 100 changes of the same size, made at once after a read',
    files: { 'a.md': '100' },
    async check({ files, put }) {
      const seen = new Set<string>([(await present(files, 'a.md')).version])
      for (let round = 101; round <= 200; round++) {
        await put('a.md', String(round))
        const { text, version } = await present(files, 'a.md')
        assert.equal(text, String(round))
        seen.add(version)
      }
      assert.equal(seen.size, 101, 'a version of its own for each content')
    },
  },
  {
    name: 'refuses names that lead elsewhere, without throwing',
    files: { 'a.md': 'A' },
    async check({ files }) {
      const names = [
        '../x',
        'a/../../x',
        '/etc/passwd',
        'a\\b',
        '..\\x',
        'C:\\x',
        'a.md\0',
        'a\nb',
        '',
        '..',
        '.',
        'a//b',
      ]
      const readings = await files.read(names)
      const states = readings.map(({ path, state }) => [path, state])
      assert.deepEqual(
        states,
        names.map((name) => [name, 'unreadable']),
      )
    },
  },
  {
    name: 'takes names like those of object properties for ordinary names',
    files: { constructor: 'C', ['__proto__']: 'P', 'toString/valueOf.md': 'V' },
    async check({ files }) {
      assert.equal((await present(files, 'constructor')).text, 'C')
      assert.equal((await present(files, '__proto__')).text, 'P')
      assert.equal((await present(files, 'toString/valueOf.md')).text, 'V')
      assert.equal((await readOne(files, 'hasOwnProperty')).state, 'missing')
    },
  },
  {
    name: 'reads a text of 1 Mi units whole and a longer one by its two ends, its length exact',
    files: { 'whole.md': 'x'.repeat(wholeUnits), 'long.md': longText() },
    async check({ files }) {
      const whole = await present(files, 'whole.md')
      assert.deepEqual([whole.text.length, whole.length, whole.gap], [wholeUnits, wholeUnits, undefined])
      const long = await present(files, 'long.md')
      const at = long.gap?.at
      assert.ok(at !== undefined, 'a gap')
      assert.ok(
        at === endUnits || at === endUnits - 1,
        'the first end is 256 Ki units, less one where a pair would be cut',
      )
      const rest = long.text.length - at
      assert.ok(rest === endUnits || rest === endUnits - 1, 'and so is the last')
      assert.ok(long.text.isWellFormed(), 'no pair is cut')
      assert.ok(longText().startsWith(long.text.slice(0, at)), 'the first end is the beginning of the text')
      assert.ok(longText().endsWith(long.text.slice(at)), 'the last end is the end of the text')
      assert.equal(long.length, longText().length)
      assert.equal(long.approximate, undefined)
      assert.equal((await present(files, 'long.md')).version, long.version)
    },
  },
  {
    name: 'answers reads that run at the same time',
    files: { 'a.md': 'A', 'b.md': 'B' },
    async check({ files }) {
      const reads = Array.from({ length: 20 }, () => files.read(['a.md', 'none.md', 'b.md']))
      for (const readings of await Promise.all(reads)) {
        const texts = readings.map((reading) => (reading.state === 'present' ? reading.text : reading.state))
        assert.deepEqual(texts, ['A', 'missing', 'B'])
      }
    },
  },
  {
    name: 'lists the names of one level, and none of a missing directory',
    files: { 'top.md': '', 'memory/b.md': '', 'memory/a.md': '', 'memory/old/c.md': '', 'memory-2/d.md': '' },
    needs: ['list'],
    async check({ files, put, drop }) {
      const list = capable(files, 'list')
      const names = async () => [...(await list('memory'))].sort()
      assert.deepEqual(await names(), ['a.md', 'b.md', 'old'])
      assert.deepEqual(await list('none'), [])
      await put('memory/e.md', '')
      assert.deepEqual(await names(), ['a.md', 'b.md', 'e.md', 'old'])
      await drop('memory/a.md')
      assert.deepEqual(await names(), ['b.md', 'e.md', 'old'])
    },
  },
]

/** Ends in mid-pair wherever a cut by units alone would fall. */
function longText(): string {
  return `a${'😀'.repeat(wholeUnits / 2)}b`
}
