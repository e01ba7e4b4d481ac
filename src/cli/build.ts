import { stat } from 'node:fs/promises'
import { nodeFileSystem } from '../adapters/node/index.js'
import { buildSystemPrompt } from '../build-system-prompt.js'
import { PromptError } from '../errors.js'
import { presets } from '../layers/presets.js'
import { defineAgent } from '../options/define-agent.js'
import type { SessionKind } from '../ports/turn.js'
import { textsByLocale } from '../texts/index.js'
import { defaultAudience } from '../workspace/audience.js'
import { isTimeZone } from '../workspace/calendar.js'
import { diagnosticLines, report } from './report.js'
import type { Output } from './run.js'
import { UsageError } from './usage-error.js'

export interface BuildFlags {
  readonly session?: string | undefined
  readonly memory?: string | undefined
  readonly preset?: string | undefined
  readonly locale?: string | undefined
  readonly now?: string | undefined
  readonly 'time-zone'?: string | undefined
  readonly json?: boolean | undefined
}

/** `soulprompt build [dir]` */
export async function buildCommand(directory: string, flags: BuildFlags, { out, err }: Output): Promise<void> {
  const kind = oneOf('--session', flags.session ?? 'main', Object.keys(defaultAudience) as SessionKind[])
  const memory = oneOf('--memory', flags.memory ?? 'on', ['on', 'off'])
  const preset = oneOf('--preset', flags.preset ?? 'default', Object.keys(presets) as (keyof typeof presets)[])
  const locale = oneOf('--locale', flags.locale ?? 'en', Object.keys(textsByLocale) as (keyof typeof textsByLocale)[])
  const now = timeOf(flags.now)
  const timeZone = zoneOf(flags['time-zone'] ?? 'UTC')
  await checkDirectory(directory)

  const agent = defineAgent({ files: nodeFileSystem(directory), preset: presets[preset], locale, timeZone })
  const prompt = await buildSystemPrompt(agent, { session: { id: 'cli', kind, memory: memory === 'on' }, now })
  out(flags.json ? `${JSON.stringify(prompt, null, 2)}\n` : prompt.text)
  err(flags.json ? diagnosticLines(prompt.diagnostics) : report(prompt))
}

function oneOf<Value extends string>(flag: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) throw new UsageError(`${flag}: expected ${allowed.join(', ')}, got ${JSON.stringify(value)}`)
  return found
}

function timeOf(value: string | undefined): Date {
  if (value === undefined) return new Date()
  const time = new Date(value)
  const isIso = /^\d{4}-\d{2}-\d{2}/.test(value)
  if (isIso && !Number.isNaN(time.getTime())) return time
  throw new UsageError(`--now: expected an ISO date or time such as 2026-02-16T09:30:00Z, got ${JSON.stringify(value)}`)
}

function zoneOf(value: string): string {
  if (isTimeZone(value)) return value
  throw new UsageError(`--time-zone: expected an IANA zone such as Asia/Shanghai, got ${JSON.stringify(value)}`)
}

/** The library takes a missing folder for an empty workspace; a person at a prompt has more likely mistyped it. */
async function checkDirectory(directory: string): Promise<void> {
  const name = directory === '' ? '""' : directory
  try {
    if ((await stat(directory)).isDirectory()) return
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such folder' : `it cannot be opened (${code})`
    throw new PromptError('io', `${name}: ${why}`, { cause: error })
  }
  throw new PromptError('io', `${name}: expected a folder, it is a file`)
}
