import type { FileSystem } from '../../ports/file-system.js'
import { concurrentCases } from './concurrent-cases.js'
import { readingCases } from './reading-cases.js'
import { textCases } from './text-cases.js'
import type { Case, FileSystemUnderTest } from './under-test.js'
import { watchingCases } from './watching-cases.js'
import { writingCases } from './writing-cases.js'

export type { FileSystemUnderTest } from './under-test.js'

export interface SuiteCase {
  readonly name: string
  /** Rejects with an `AssertionError` that says what was expected and what came. */
  run(): Promise<void>
}

/**
 * The contract of {@link FileSystem} as test cases for any test runner. Each case makes a store of its own, with a
 * dozen small files and one of 3 MB at most, and disposes of it. Cases about a capability that is absent (`list`,
 * `write`, `append`, `remove`, `watch`) end without checking anything.
 *
 * @param create Makes a store that holds exactly these files, by path.
 * @example
 * for (const { name, run } of fileSystemSuite((files) => ({ files: myStore(files), put, drop }))) test(name, run)
 */
export function fileSystemSuite(
  create: (files: Readonly<Record<string, string>>) => FileSystemUnderTest | Promise<FileSystemUnderTest>,
): readonly SuiteCase[] {
  return [...readingCases, ...writingCases, ...textCases, ...concurrentCases, ...watchingCases].map((entry) => ({
    name: entry.name,
    async run() {
      const store = await create(entry.files ?? {})
      try {
        if (has(store.files, entry)) await entry.check(store)
      } finally {
        await store.dispose?.()
      }
    },
  }))
}

function has(files: FileSystem, { needs = [] }: Case): boolean {
  return needs.every((capability) => files[capability] !== undefined)
}
