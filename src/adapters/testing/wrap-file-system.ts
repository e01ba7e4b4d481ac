import type { FileSystem } from '../../ports/file-system.js'
import { abortable } from '../../workspace/abortable.js'
import type { CertainlyOf } from '../../workspace/store-answers.js'
import { type DelayedCall, type Fault, type FaultyMethod, type FileOperation, inputOutputError } from './faults.js'
import { appendCall, type FaultyCall, listCall, readCall, removeCall, writeCall } from './faulty-calls.js'

/** A file system with exactly what the wrapped one has. */
export type FaultyFileSystem<Files extends FileSystem = FileSystem> = FileSystem &
  CertainlyOf<Files, keyof FileSystem> &
  Faulty

interface Faulty {
  /** The calls so far, in their order, those after a crash included; `watch` and `close` are none. */
  readonly operations: readonly FileOperation[]
  /** Ends a crash: later calls reach the store again. Those that do not settle never will. */
  revive(): void
}

/** @param crashed Is told when all has been done that a crash still lets happen. */
export function wrapFileSystem<Files extends FileSystem>(
  files: Files,
  faultOf: (operation: FileOperation) => Fault | undefined,
  crashed?: () => void,
): FaultyFileSystem<Files>
export function wrapFileSystem(
  files: FileSystem,
  faultOf: (operation: FileOperation) => Fault | undefined,
  crashed = () => {},
): FaultyFileSystem {
  const { list, write, append, remove, watch, close } = files
  const operations: FileOperation[] = []
  let isDown = false

  function begin(method: FaultyMethod, paths: readonly string[]): FileOperation {
    const operation = Object.freeze({ index: operations.length, method, paths: Object.freeze([...paths]) })
    operations.push(operation)
    return operation
  }

  async function perform<T>(call: FaultyCall<T>): Promise<T> {
    const fault = isDown ? undefined : faultOf(call.operation)
    if (!isDown && fault?.kind !== 'crash') return faulty(call, fault)
    isDown = true
    if (fault?.kind === 'crash') {
      if (fault.when === 'after') await doneUnheard(call)
      crashed()
    }
    return new Promise<never>(() => {})
  }

  return {
    name: `faulty(${files.name})`,
    get operations() {
      return [...operations]
    },
    revive() {
      isDown = false
    },

    read: async (paths, options) => perform(readCall(files, begin('read', paths), paths, options)),
    ...(list !== undefined && {
      list: async (directory, options) =>
        perform(listCall(list.bind(files), begin('list', [directory]), directory, options)),
    }),
    ...(write !== undefined && {
      write: async (path, text, options) =>
        perform(writeCall(write.bind(files), begin('write', [path]), path, text, options)),
    }),
    ...(append !== undefined && {
      append: async (path, text) => perform(appendCall(append.bind(files), begin('append', [path]), path, text)),
    }),
    ...(remove !== undefined && {
      remove: async (path, options) => perform(removeCall(remove.bind(files), begin('remove', [path]), path, options)),
    }),
    ...(watch !== undefined && { watch: (listener) => watch.call(files, listener) }),
    ...(close !== undefined && { close: () => close.call(files) }),
  }
}

/** What becomes of it nobody learns. */
async function doneUnheard(call: FaultyCall<unknown>): Promise<void> {
  try {
    await call.whole()
  } catch {}
}

async function faulty<T>(call: FaultyCall<T>, fault: Exclude<Fault, { kind: 'crash' }> | undefined): Promise<T> {
  switch (fault?.kind) {
    case undefined:
      return call.whole()
    case 'short':
    case 'tear':
      return call.cut(fault)
    case 'delay':
      await delay(fault, call.signal)
      return call.whole()
    case 'fail':
      if (fault.paths !== undefined && call.without !== undefined) return call.without(fault.paths, fault)
      if (fault.when === 'after') await call.whole()
      throw fault.error === undefined ? inputOutputError(call.operation) : fault.error
  }
}

async function delay({ ms }: DelayedCall, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    if (ms !== 'never') timer = setTimeout(resolve, ms)
  })
  try {
    await abortable(over, signal)
  } finally {
    clearTimeout(timer)
  }
}
