import { presets } from '../layers/presets/index.js'
import { defineAgent } from '../options/define-agent.js'
import type { Agent } from '../ports/agent.js'
import type { FileSystem } from '../ports/file-system.js'
import type { Locale } from '../ports/texts.js'
import type { SessionKind, Turn } from '../ports/turn.js'
import { textsByLocale } from '../texts/index.js'
import { defaultAudience } from '../workspace/audience.js'
import { isTimeZone } from '../workspace/calendar.js'
import { type FlagLine, oneOf } from './command.js'
import { UsageError } from './usage-error.js'

/** The flags that say which prompt is meant. */
export const promptFlags = {
  session: { type: 'string' },
  memory: { type: 'string' },
  preset: { type: 'string' },
  locale: { type: 'string' },
  'time-zone': { type: 'string' },
} as const

export const promptFlagLines: readonly FlagLine[] = [
  ['--session <kind>', Object.keys(defaultAudience).join(', '), 'main'],
  ['--memory <on|off>', 'whether USER.md, MEMORY.md and notes are in', 'on'],
  ['--preset <name>', Object.keys(presets).join(', '), 'default'],
  ['--locale <locale>', Object.keys(textsByLocale).join(', '), 'en'],
  ['--time-zone <zone>', 'an IANA zone', 'UTC'],
]

export type PromptFlagValues = { readonly [Flag in keyof typeof promptFlags]?: string | undefined }

/** The agent, and the turn without its time. */
export interface AskedPrompt {
  readonly agent: Agent
  readonly turn: Turn
}

/** @throws UsageError */
export function promptFrom(flags: PromptFlagValues): (files: FileSystem) => AskedPrompt {
  const kind = oneOf('--session', flags.session ?? 'main', keysOf<SessionKind>(defaultAudience))
  const memory = oneOf('--memory', flags.memory ?? 'on', ['on', 'off'])
  const preset = oneOf('--preset', flags.preset ?? 'default', keysOf<keyof typeof presets>(presets))
  const locale = localeFrom(flags.locale)
  const timeZone = zoneFrom(flags['time-zone'] ?? 'UTC')
  return (files) => ({
    agent: defineAgent({ files, preset: presets[preset], locale, timeZone }),
    turn: { session: { id: 'cli', kind, memory: memory === 'on' } },
  })
}

/** @throws UsageError */
export function localeFrom(flag: string | undefined): Locale {
  return oneOf('--locale', flag ?? 'en', keysOf<Locale>(textsByLocale))
}

function zoneFrom(value: string): string {
  if (isTimeZone(value)) return value
  throw new UsageError(`--time-zone: expected an IANA zone such as Asia/Shanghai, got ${JSON.stringify(value)}`)
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(table) as Key[]
}
