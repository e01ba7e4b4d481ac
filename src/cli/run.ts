import packageJson from '../../package.json' with { type: 'json' }
import { reasonOf } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import { build } from './build.js'
import type { Command, Terminal } from './command.js'
import { helpFor } from './help.js'
import { init } from './init.js'
import { printable } from './report.js'
import { UsageError } from './usage-error.js'
import { watch } from './watch.js'

const commands: Readonly<Record<string, Command>> = { build, init, watch }

/** Runs the command line and gives the exit code: 0 done, 1 it failed, 2 it was called wrongly. */
export async function run(args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const [first, ...rest] = args
  if (first === undefined) {
    terminal.err(helpFor(commands))
    return 2
  }
  try {
    if (isHelp(first)) terminal.out(rest[0] === undefined ? helpFor(commands) : commandNamed(rest[0]).help)
    else if (first === '-v' || first === '--version') terminal.out(`${packageJson.version}\n`)
    else {
      const command = commandNamed(first)
      if (asksForHelp(rest)) terminal.out(command.help)
      else await command.run(rest, terminal)
    }
    return 0
  } catch (error) {
    return report(error, first, terminal)
  }
}

function commandNamed(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command
  const what = name.startsWith('-') ? `expected a command, got ${name}` : `unknown command ${name}`
  throw new UsageError(`${what}; there are: ${Object.keys(commands).join(', ')}`)
}

function isHelp(word: string): boolean {
  return word === 'help' || word === '-h' || word === '--help'
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).some((word) => word === '-h' || word === '--help')
}

function report(error: unknown, command: string, terminal: Terminal): 1 | 2 {
  const message = printable(reasonOf(error))
  if (error instanceof UsageError) {
    const help = Object.hasOwn(commands, command) ? `${command} --help` : '--help'
    terminal.err(`soulprompt: ${message}\nTry: soulprompt ${help}\n`)
    return 2
  }
  terminal.err(`soulprompt: ${message}\n`)
  if (!(error instanceof PromptError) && error instanceof Error) {
    const stack = error.stack ?? ''
    terminal.err(`${stack.split('\n').map(printable).join('\n')}\n`)
  }
  return 1
}
