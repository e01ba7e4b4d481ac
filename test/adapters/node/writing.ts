import fs from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { NodeFileSystem } from '../../../src/adapters/node/index.js'
import { PromptError } from '../../../src/errors.js'

/** Everything below a folder: files with their texts, links with where they lead, folders. */
export function treeOf(folder: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {}
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1)
    if (entry.isFile()) tree[name] = fs.readFileSync(path, 'utf8')
    else if (entry.isSymbolicLink()) tree[name] = `-> ${fs.readlinkSync(path)}`
    else tree[name] = entry.isDirectory() ? '(folder)' : '(special)'
  }
  return tree
}

/** The error of a change that must fail, which must be one of the library's. */
export async function errorOf(change: Promise<unknown>): Promise<PromptError> {
  const outcome = await change.then(
    (value) => new Error(`it did not fail, and gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (outcome instanceof PromptError) return outcome
  throw outcome
}

/** Every change of one path, each by the name of its method. */
export function changesOf(files: NodeFileSystem, path: string): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    write: () => files.write(path, 'changed'),
    create: () => files.write(path, 'changed', { ifVersion: null }),
    append: () => files.append(path, 'changed'),
    remove: () => files.remove(path),
  }
}

type Fn = (...args: unknown[]) => unknown

/** Puts something in place of functions of `node:fs` until the test ends. Returns the way to put them back sooner. */
export function intercept(names: readonly string[], wrap: (name: string, original: Fn) => Fn): () => void {
  const undo: (() => void)[] = []
  for (const name of names) {
    // `rename` is the one with promises, `renameSync` and `fsync` are what they are called.
    const holder = !name.endsWith('Sync') && !onDescriptors.includes(name) ? fs.promises : fs
    const original = Reflect.get(holder, name) as Fn
    Reflect.set(
      holder,
      name,
      wrap(name, (...args) => Reflect.apply(original, holder, args)),
    )
    undo.push(() => void Reflect.set(holder, name, original))
  }
  const putBack = () => undo.splice(0).forEach((step) => void step())
  onTestFinished(putBack)
  return putBack
}

/** Does something before the first call of one of these functions. */
export function beforeFirst(names: readonly string[], act: () => void): void {
  let done = false
  intercept(names, (_, original) => (...args) => {
    if (!done) {
      done = true
      act()
    }
    return original(...args)
  })
}

const onDescriptors: readonly string[] = ['open', 'fstat', 'read', 'close', 'write', 'fsync', 'fchmod', 'fchown']
const onPaths: readonly string[] = [
  'lstat',
  'stat',
  'realpath',
  'readlink',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'rmdir',
  'readdir',
]
/** Those that one change consists of. */
const atOnce: readonly string[] = ['lstat', 'open', 'rename', 'link', 'unlink', 'mkdir', 'rmdir'].map(
  (name) => `${name}Sync`,
)

export const everyCall: readonly string[] = [...onDescriptors, ...onPaths, ...atOnce]

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code })
}

/** Has a call fail: functions on descriptors tell their callback, those of one instant throw, the others reject. */
export function failing(name: string, code: string): Fn {
  return (...args) => {
    const error = systemError(code)
    const callback = args.at(-1)
    if (typeof callback === 'function') return void setImmediate(() => callback(error))
    if (name.endsWith('Sync')) throw error
    return Promise.reject(error)
  }
}
