import { parseArgs } from 'node:util'
import { nodeFileSystem } from '../adapters/node/index.js'
import { buildSystemPrompt } from '../build-system-prompt.js'
import { type Command, flagLines, folderIn, parsed } from './command.js'
import { checkFolder } from './folder.js'
import { promptFlagLines, promptFlags, promptFrom } from './prompt-flags.js'
import { diagnosticLines, printableJson, report } from './report.js'
import { UsageError } from './usage-error.js'

const options = { ...promptFlags, now: { type: 'string' }, json: { type: 'boolean' } } as const

export const build: Command = {
  summary: 'prints the prompt that a folder gives',
  help: `Prints the system prompt of a workspace.

Usage
  soulprompt build [dir]        dir: the workspace, by default the current folder

The prompt goes to stdout, a table of its sections and files with the warnings to stderr.

Options
${flagLines([
  ...promptFlagLines,
  ['--now <time>', 'an ISO date or time, for the date and the notes', 'now'],
  ['--json', 'the whole result as JSON to stdout'],
])}

Exit codes
  0  the prompt was built (warnings included)
  1  it could not be built
  2  the command was called wrongly
`,

  async run(args, { out, err }) {
    const { values, positionals } = parsed(() => parseArgs({ args: [...args], options, allowPositionals: true }))
    const directory = folderIn(positionals)
    const promptOf = promptFrom(values)
    const now = timeFrom(values.now)
    await checkFolder(directory)

    const { agent, turn } = promptOf(nodeFileSystem(directory))
    const prompt = await buildSystemPrompt(agent, { ...turn, now })
    out(values.json ? `${printableJson(prompt)}\n` : prompt.text)
    err(values.json ? diagnosticLines(prompt.diagnostics) : report(prompt))
  },
}

function timeFrom(value: string | undefined): Date {
  if (value === undefined) return new Date()
  const time = new Date(value)
  const day = isoTime.exec(value)?.[1]
  if (day !== undefined && isInCalendar(day) && !Number.isNaN(time.getTime())) return time
  throw new UsageError(`--now: expected an ISO date or time such as 2026-02-16T09:30:00Z, got ${JSON.stringify(value)}`)
}

/** `Date` takes much more, such as remarks in brackets. */
const isoTime = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** For `Date`, 30 February is a day in March. */
function isInCalendar(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
