import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { nodeFileSystem } from '../../../src/adapters/node/index.js'
import { createNodeFileSystem, type NodeFileSystem } from '../../../src/adapters/node/node-file-system.js'
import type { FileReading, FileSnapshot } from '../../../src/ports/file-system.js'

/** A folder for one test, with a workspace in it and room beside it for what must not be reached. */
export function temporaryWorkspace(texts: Readonly<Record<string, string | Uint8Array>> = {}) {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'workspace-')))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const root = join(folder, 'root')
  fs.mkdirSync(root)
  const inRoot = (path: string) => join(root, path)
  const put = (path: string, content: string | Uint8Array) => {
    fs.mkdirSync(dirname(inRoot(path)), { recursive: true })
    fs.writeFileSync(inRoot(path), content)
  }
  for (const [path, content] of Object.entries(texts)) put(path, content)
  const beside = (path: string, content: string) => {
    fs.writeFileSync(join(folder, path), content)
    return join(folder, path)
  }
  return { folder, root, put, inRoot, beside }
}

/** Every way to run: what holds must hold in each. */
const ways: Readonly<Record<string, (root: string) => NodeFileSystem>> = {
  sync: (root) => nodeFileSystem(root, { io: 'sync' }),
  async: (root) => nodeFileSystem(root, { io: 'async' }),
  auto: (root) => nodeFileSystem(root),
  'sync, confirmed by path': (root) => createNodeFileSystem(root, { io: 'sync' }, 'path'),
  'async, confirmed by path': (root) => createNodeFileSystem(root, { io: 'async' }, 'path'),
}

export const eachWay = Object.entries(ways)

export async function readOne(files: NodeFileSystem, path: string): Promise<FileReading> {
  return (await files.read([path]))[0] as FileReading
}

export async function present(files: NodeFileSystem, path: string): Promise<FileSnapshot> {
  const reading = await readOne(files, path)
  if (reading.state === 'present') return reading
  throw new Error(`${path} is ${JSON.stringify(reading)}`)
}

/** What of a reading a test compares, without texts. */
export function fateOf(reading: FileReading): string {
  return reading.state === 'unreadable' ? reading.reason : reading.state
}

/** The clock of this process goes ahead, so that what was just written counts as settled. */
export function later(ms = 3_000): void {
  const now = Date.now
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
  onTestFinished(() => spy.mockRestore())
}

/** How often each function of `node:fs` is called from now on. */
export function countCalls(): Map<string, number> {
  const counts = new Map<string, number>()
  const watched = [
    [fs, ['lstatSync', 'statSync', 'openSync', 'fstatSync', 'readSync', 'readlinkSync', 'readdirSync', 'closeSync']],
    [fs, ['open', 'fstat', 'read', 'close']],
    [fs.promises, ['lstat', 'stat', 'realpath', 'readlink', 'readdir']],
    [fs.realpathSync, ['native']],
  ] as const
  for (const [holder, names] of watched) {
    for (const name of names) {
      const original: unknown = Reflect.get(holder, name)
      Reflect.set(holder, name, (...args: unknown[]) => {
        counts.set(name, (counts.get(name) ?? 0) + 1)
        return Reflect.apply(original as (...args: unknown[]) => unknown, holder, args)
      })
      onTestFinished(() => void Reflect.set(holder, name, original))
    }
  }
  return counts
}

/** The bytes that this process reads without blocking from now on. */
export function bytesRead() {
  const result = { bytes: 0 }
  const { read } = fs
  const counting = (...args: Parameters<typeof read>) => {
    const done = args.at(-1) as (error: unknown, count: number) => void
    const rest = args.slice(0, -1)
    Reflect.apply(read, fs, [
      ...rest,
      (error: unknown, count: number) => {
        result.bytes += count
        done(error, count)
      },
    ])
  }
  Reflect.set(fs, 'read', counting)
  onTestFinished(() => void Reflect.set(fs, 'read', read))
  return result
}

/** Descriptors that this process holds open; 0 where the system does not say. */
export function openDescriptors(): number {
  return fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0
}

/** Runs a script beside the test, from its first line of output until the test ends. */
export async function startScript(script: string, ...args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}
