import { expect, test } from 'vitest'
import { fileSystemSuite } from '../../../src/adapters/testing/index.js'
import { memoryFileSystem } from '../../../src/workspace/memory-file-system.js'

type Memory = ReturnType<typeof memoryFileSystem>

const flaws: Readonly<Record<string, [RegExp, (files: Memory) => Memory['watch']]>> = {
  'that tells nothing': [/a\.md is told/, () => () => () => {}],
  'that tells other names': [
    /a\.md is told/,
    (files) => (listener) => files.watch((paths) => listener(paths.map((path) => `/${path}`))),
  ],
  'that tells one listener': [
    /a\.md is told/,
    (files) => {
      let stop = () => {}
      return (listener) => {
        stop()
        stop = files.watch(listener)
        return stop
      }
    },
  ],
  'that cannot be stopped': [
    /not called/,
    (files) => (listener) => {
      files.watch(listener)
      return () => {}
    },
  ],
  'that gives no way to stop': [/a function/, (files) => (listener) => void files.watch(listener) as never],
}

test.each(Object.entries(flaws))('the suite notices a watch %s', async (_, [expected, broken]) => {
  const suite = fileSystemSuite((texts) => {
    const files = memoryFileSystem(texts)
    const put = async (path: string, text: string) => void (await files.write(path, text))
    return { files: { ...files, watch: broken(files) }, put, drop: (path) => files.remove(path) }
  })
  const failures: string[] = []
  await Promise.all(
    suite.map(({ name, run }) =>
      run().catch((error: unknown) => void (/watches/.test(name) && failures.push(String(error)))),
    ),
  )
  expect(failures).toEqual([expect.stringMatching(expected)])
})
