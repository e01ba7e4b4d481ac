import type { FileSystem } from '../../ports/file-system.js'
import { appendFile } from './append-file.js'
import { changeFile } from './change-file.js'
import type { Store } from './read-file.js'
import { removeFile } from './remove-file.js'
import { checkText } from './text-bytes.js'
import { writeFile } from './write-file.js'

export type Writers = Required<Pick<FileSystem, 'write' | 'append' | 'remove'>>

/** The methods that change files. They never block: a change is rare, and waits for the disk. */
export function writersOf(store: Store): Writers {
  return {
    async write(path, text, { ifVersion } = {}) {
      const bytes = Buffer.from(checkText(path, text))
      return changeFile(store, path, 'write', (change) => writeFile(change, bytes, ifVersion))
    },

    async append(path, text) {
      const checked = checkText(path, text)
      await changeFile(store, path, 'append', (change) => appendFile(change, checked))
    },

    async remove(path, { ifVersion } = {}) {
      await changeFile(store, path, 'remove', (change) => removeFile(change, ifVersion))
    },
  }
}
