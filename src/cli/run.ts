import { parseArgs } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { reasonOf } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import { buildCommand } from './build.js'
import { help } from './help.js'
import { UsageError } from './usage-error.js'

export interface Output {
  out(text: string): void
  err(text: string): void
}

const options = {
  session: { type: 'string' },
  memory: { type: 'string' },
  preset: { type: 'string' },
  locale: { type: 'string' },
  now: { type: 'string' },
  'time-zone': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** Runs the command line and gives the exit code: 0 done, 1 it failed, 2 it was called wrongly. */
export async function run(args: readonly string[], output: Output): Promise<0 | 1 | 2> {
  try {
    const { values, positionals } = parse(args)
    if (values.version) output.out(`${packageJson.version}\n`)
    else if (values.help || positionals[0] === 'help') output.out(help)
    else if (positionals.length === 0) {
      output.err(help)
      return 2
    } else await command(positionals, values, output)
    return 0
  } catch (error) {
    const isUsage = error instanceof UsageError
    output.err(`soulprompt: ${reasonOf(error)}\n${isUsage ? 'Try: soulprompt --help\n' : ''}`)
    if (!isUsage && !(error instanceof PromptError) && error instanceof Error) output.err(`${error.stack}\n`)
    return isUsage ? 2 : 1
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // Node goes on to explain a way of passing such words as an argument, which none of ours can be.
    throw new UsageError(reasonOf(error).replace(/\. To specify a positional.*$/s, ''))
  }
}

async function command(
  [name, ...rest]: readonly string[],
  values: ReturnType<typeof parse>['values'],
  output: Output,
): Promise<void> {
  if (name !== 'build') throw new UsageError(`unknown command ${name}; there is: build`)
  if (rest.length > 1) throw new UsageError(`expected one folder, got ${rest.length}: ${rest.join(' ')}`)
  await buildCommand(rest[0] ?? '.', values, output)
}
