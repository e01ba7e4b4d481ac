import { parseArgs } from 'node:util'
import { nodeFileSystem } from '../adapters/node/index.js'
import { buildSystemPrompt } from '../build-system-prompt.js'
import { reasonOf } from '../diagnostics.js'
import type { SystemPrompt } from '../ports/prompt.js'
import { type SectionChange, sectionChanges } from '../render/section-changes.js'
import { bellFor } from './bell.js'
import { type Command, flagLines, folderIn, parsed, type Terminal } from './command.js'
import { checkFolder, isMissingFolder } from './folder.js'
import { promptFlagLines, promptFlags, promptFrom } from './prompt-flags.js'
import { diagnosticLines, number, printable } from './report.js'

/**
 * In ms. Hints come sooner, but their absence proves nothing, and at midnight the date changes without one. A build of
 * what has not changed costs microseconds. This timer is also what keeps the process alive.
 */
const lookEvery = 2_000

export const watch: Command = {
  summary: 'says what changes in the prompt as its files change',
  help: `Builds the prompt of a workspace, and says what changes in it as its files change, until it is interrupted.

Usage
  soulprompt watch [dir]        dir: the workspace, by default the current folder; it may come into being later

To stdout goes a line with the number of sections and chars, and after each change what became of which section.
Warnings that are new go to stderr, and so does why the prompt cannot be built just now.

Options
${flagLines(promptFlagLines)}

Exit codes
  0  it was interrupted (SIGINT, SIGTERM)
  1  it could not begin
  2  the command was called wrongly
`,

  async run(args, terminal) {
    const { values, positionals } = parsed(() =>
      parseArgs({ args: [...args], options: promptFlags, allowPositionals: true }),
    )
    const directory = folderIn(positionals)
    const promptOf = promptFrom(values)
    const files = nodeFileSystem(directory)
    const { agent, turn } = promptOf(files)
    await checkFolder(directory).catch((error: unknown) => {
      if (!isMissingFolder(error)) throw error
    })

    const ended = terminal.interrupted()
    const bell = bellFor(ended)
    const stop = files.watch?.(bell.ring)
    const account = accountFor(directory, terminal)
    try {
      while (!ended.aborted) {
        try {
          await checkFolder(directory)
          account.show(await buildSystemPrompt(agent, { ...turn, now: new Date() }))
        } catch (error) {
          account.complain(error)
        }
        await bell.wait(lookEvery)
      }
    } finally {
      stop?.()
      await files.close?.()
    }
  },
}

/** Says of each prompt what is new in it, and of each trouble once that it is there. */
function accountFor(directory: string, { out, err }: Terminal) {
  let last: SystemPrompt | undefined
  let trouble: string | undefined
  return {
    show(prompt: SystemPrompt): void {
      const name = printable(directory)
      const changed = sectionChanges(last?.sections ?? [], prompt.sections)
        .map(changeLine)
        .join('')
      if (last === undefined) out(`${name}: ${sizeOf(prompt)}\n`)
      // Whoever read that something is amiss is told that it is over, be it with the same prompt as before.
      else if (trouble !== undefined) out(`${name}: back, ${sizeOf(prompt)}\n${changed}`)
      else if (prompt.fingerprint !== last.fingerprint) out(`${changed}total ${sizeOf(prompt)}\n`)
      trouble = undefined
      const said = new Set(last?.diagnostics.map(({ message }) => message))
      err(diagnosticLines(prompt.diagnostics.filter(({ message }) => !said.has(message))))
      last = prompt
    },
    complain(error: unknown): void {
      const what = isMissingFolder(error) ? 'waiting for it' : 'watching goes on'
      const line = `soulprompt: ${printable(reasonOf(error).replace(/\.$/, ''))}; ${what}\n`
      if (line !== trouble) err(line)
      trouble = line
    },
  }
}

function sizeOf({ sections, chars }: SystemPrompt): string {
  return `${number(sections.length)} ${sections.length === 1 ? 'section' : 'sections'}, ${number(chars)} chars`
}

function changeLine(change: SectionChange): string {
  const chars = `${number(change.chars)} chars`
  const size = change.kind === 'changed' ? `${number(change.before)} → ${chars}` : chars
  const place = change.kind === 'changed' && change.moved ? ', moved' : ''
  return `${change.kind.padEnd(7)} ${printable(change.id)}  ${size}${place}\n`
}
