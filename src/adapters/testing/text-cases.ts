import assert from 'node:assert/strict'
import { type Case, capable, present } from './under-test.js'

export const textCases: readonly Case[] = [
  ...[
    ['a byte order mark, at the beginning and within', '\ufeff# Title\n\ufeffText'],
    ['newlines of every kind, and none at the end', 'a\r\nb\rc\n\r\n\r\rd\u2028e\u0085f\r'],
    ['text beyond the basic plane, composed and decomposed', '🧑‍🚀 e\u0301 é \u{2070E} x²\u200b'],
    ['a text of 200 KB', longText()],
  ].map(
    ([what = '', text = '']): Case => ({
      name: `writes ${what}, and gives back exactly that`,
      needs: ['write'],
      async check({ files }) {
        const written = await capable(files, 'write')('a.md', text)
        const read = await present(files, 'a.md')
        for (const snapshot of [written, read]) {
          // Not by deepEqual, whose message would show all of it.
          assert.ok(
            snapshot.text === text,
            `the text is the one that was written, not ${JSON.stringify(snapshot.text.slice(0, 60))}`,
          )
          assert.deepEqual([snapshot.length, snapshot.gap, snapshot.lossy], [text.length, undefined, undefined])
        }
        assert.equal(written.version, read.version)
      },
    }),
  ),
  ...[
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud83db'],
  ].map(
    ([what = '', text = '']): Case => ({
      name: `refuses a text that holds ${what}, or gives back exactly that`,
      files: { 'a.md': 'before' },
      needs: ['write'],
      async check({ files }) {
        const refused = await capable(files, 'write')('a.md', text).then(
          () => undefined,
          (error: unknown) => error ?? 'nothing',
        )
        const read = await present(files, 'a.md')
        if (refused === undefined) return assert.equal(read.text, text)
        // By its fields: a store may bring its own copy of the class.
        assert.ok(refused instanceof Error, 'it refuses with an error')
        assert.equal(typeof Reflect.get(refused, 'code'), 'string', 'the error says by a code what it is about')
        assert.equal(read.text, 'before', 'and the file stays as it is')
      },
    }),
  ),
  {
    name: 'starts what is added to a .jsonl file on a line of its own',
    files: { 'log.jsonl': '{"a":1}\n{"b":' },
    needs: ['append'],
    async check({ files }) {
      await capable(files, 'append')('log.jsonl', '{"c":3}\n')
      await capable(files, 'append')('log.jsonl', '{"d":4}\n')
      assert.equal((await present(files, 'log.jsonl')).text, '{"a":1}\n{"b":\n{"c":3}\n{"d":4}\n')
    },
  },
  {
    name: 'gives a text that is written again the version it had, and that version to no other',
    needs: ['write'],
    async check({ files }) {
      const write = capable(files, 'write')
      const texts = ['A', 'B', 'A', 'A\n', '', 'B', 'A']
      const versions = new Map<string, string>()
      for (const text of texts) {
        const { version } = await write('a.md', text)
        assert.equal(version, versions.get(text) ?? version, `${JSON.stringify(text)} has the version it had`)
        versions.set(text, version)
        assert.equal((await present(files, 'a.md')).version, version)
      }
      assert.equal(new Set(versions.values()).size, versions.size, 'each text has a version of its own')
    },
  },
]

/** 200 KB in UTF-8, of characters of one to four bytes and of every kind of newline. */
function longText(): string {
  const line = 'plain é 你 😀\r\n\r\n\t\n\r'
  return line.repeat(Math.ceil(200_000 / Buffer.byteLength(line)))
}
