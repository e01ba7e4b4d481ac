import type { Command } from './command.js'

/** What `soulprompt --help` says. */
export function helpFor(commands: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  soulprompt ${name.padEnd(8)}[dir]  ${summary}`)
  return `Turns a folder of Markdown files into the system prompt of an agent.

Usage
${lines.join('\n')}

Options
  -h, --help            this text; behind a command, what that command takes
  -v, --version         the version

Exit codes
  0  done
  1  it could not be done
  2  the command was called wrongly
`
}
