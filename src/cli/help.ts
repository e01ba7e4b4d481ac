import { presets } from '../layers/presets.js'
import { textsByLocale } from '../texts/index.js'

export const help = `Turns a folder of Markdown files into the system prompt of an agent.

Usage
  soulprompt build [dir]        dir: the workspace, by default the current folder

The prompt goes to stdout, a table of its sections and files with the warnings to stderr.

Options
  --session <kind>      main, group, subagent, cron, heartbeat or boot     (main)
  --memory <on|off>     whether USER.md, MEMORY.md and notes are in        (on)
  --preset <name>       ${Object.keys(presets).join(', ').padEnd(50)} (default)
  --locale <locale>     ${Object.keys(textsByLocale).join(', ').padEnd(50)} (en)
  --now <time>          an ISO date or time, for the date and the notes    (now)
  --time-zone <zone>    an IANA zone                                       (UTC)
  --json                the whole result as JSON to stdout
  -h, --help            this text
  -v, --version         the version

Exit codes
  0  the prompt was built (warnings included)
  1  it could not be built
  2  the command was called wrongly
`
