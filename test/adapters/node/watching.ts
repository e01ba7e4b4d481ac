import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished, vi } from 'vitest'
import type { FileSystem } from '../../../src/ports/file-system.js'
import { compiled } from './compiled.js'

/** A listener that remembers, until the test ends. */
export function listenTo(files: Pick<FileSystem, 'watch'>) {
  let batches: (readonly string[])[] = []
  const stop = files.watch?.((paths) => void batches.push(paths)) ?? (() => {})
  onTestFinished(stop)
  const told = () => [...new Set(batches.flat())].sort()
  return {
    stop,
    told,
    batches: () => batches,
    forget: () => {
      batches = []
    },
    /** Until every one of the paths was told. */
    hears: (...paths: readonly string[]) => waitFor(() => expect(told()).toEqual(expect.arrayContaining([...paths]))),
  }
}

export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 8_000, interval: 10 })
}

/** Until the watch has long begun: it then says nothing of itself any more. */
export async function settled(listener: ReturnType<typeof listenTo>, ms = 400): Promise<void> {
  await passed(ms)
  listener.forget()
}

/** As {@link settled}, after another folder was put somewhere, or where folders are looked at once a second. */
export async function replaced(listener: ReturnType<typeof listenTo>): Promise<void> {
  await settled(listener, 1_400)
}

export function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Every folder and file for which the system is asked for a watch, from now on. `instead` may throw. */
export function watchedPaths(instead: (path: string) => void = () => {}): string[] {
  const paths: string[] = []
  const original = fs.watch
  const replace = (watch: unknown) => {
    Reflect.set(fs, 'watch', watch)
    syncBuiltinESMExports()
  }
  replace((path: string, ...rest: unknown[]) => {
    paths.push(path)
    instead(path)
    return Reflect.apply(original as (...args: unknown[]) => unknown, fs, [path, ...rest])
  })
  onTestFinished(() => replace(original))
  return paths
}

/** What the process is warned of, from now on. */
export function warnings(): Error[] {
  const all: Error[] = []
  const add = (warning: Error) => void all.push(warning)
  process.on('warning', add)
  onTestFinished(() => void process.off('warning', add))
  return all
}

/** The adapter as a process of its own can import it, chokidar included: its URL. */
export function compiledAdapter(folder: string): string {
  const entry = compiled(folder)
  fs.symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'js/node_modules'))
  return pathToFileURL(entry).href
}
