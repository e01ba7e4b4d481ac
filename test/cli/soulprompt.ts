import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { run } from '../../src/cli/run.js'

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command in this process. */
export async function soulprompt(...args: readonly string[]): Promise<Outcome> {
  return started(args).ended
}

/** The same for a command that goes on until it is stopped. */
export function started(args: readonly string[]) {
  const controller = new AbortController()
  let out = ''
  let err = ''
  let look = () => {}
  const code = run(args, {
    out: (text) => {
      out += text
      look()
    },
    err: (text) => {
      err += text
      look()
    },
    interrupted: () => controller.signal,
  })
  const ended = code.then((code): Outcome => ({ code, out, err }))
  return {
    ended,
    stop: () => {
      controller.abort()
      return ended
    },
    /** Waits until what was said to stdout and stderr passes a test. */
    said: (test: (out: string, err: string) => boolean) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`not said in time:\n${out}\n${err}`)), 20_000)
        look = () => {
          if (!test(out, err)) return
          clearTimeout(late)
          look = () => {}
          resolve()
        }
        look()
      }),
  }
}

/** A folder for one test file, removed when its tests are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'soulprompt-cli-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
