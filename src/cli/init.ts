import { sep } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeFileSystem } from '../adapters/node/index.js'
import { PromptError } from '../errors.js'
import type { FileSystem } from '../ports/file-system.js'
import { type ScaffoldOptions, scaffoldWorkspace } from '../scaffold/scaffold-workspace.js'
import { textsByLocale } from '../texts/index.js'
import { type Command, flagLines, folderIn, parsed } from './command.js'
import { makeFolder } from './folder.js'
import { localeFrom } from './prompt-flags.js'
import { printable } from './report.js'

const options = { locale: { type: 'string' }, soul: { type: 'boolean' } } as const

export const init: Command = {
  summary: 'creates the files of a new workspace that are missing',
  help: `Creates the files of a new workspace that are missing, and the folder itself. What is there stays as it is.

Usage
  soulprompt init [dir]         dir: the workspace, by default the current folder

Options
${flagLines([
  ['--locale <locale>', `the language of the files: ${Object.keys(textsByLocale).join(', ')}`, 'en'],
  ['--soul', 'SOUL.md too, which else the first conversation creates'],
])}

Exit codes
  0  the files are there
  1  they could not be created
  2  the command was called wrongly
`,

  async run(args, { out, err }) {
    const { values, positionals } = parsed(() => parseArgs({ args: [...args], options, allowPositionals: true }))
    const directory = folderIn(positionals)
    const locale = localeFrom(values.locale)

    const takeBack = await makeFolder(directory)
    const files = nodeFileSystem(directory)
    const outcomes = await createIn(directory, files, { locale, soul: values.soul ?? false }).catch(
      async (error: unknown) => {
        await takeBack()
        throw error
      },
    )
    for (const { path, trouble } of outcomes) {
      if (trouble !== undefined) err(`warning: ${printable(`${path} cannot be read: ${trouble}`)}\n`)
    }
    out(outcomes.map(outcomeLine).join(''))
    const flags = values.locale === undefined ? '' : ` --locale ${locale}`
    out(`See the prompt they give: npx soulprompt build ${printable(asArgument(directory))}${flags}\n`)
  },
}

interface FileOutcome {
  readonly path: string
  readonly isNew: boolean
  /** Why it cannot be read, where that is so. */
  readonly trouble?: string
}

async function createIn(
  directory: string,
  files: FileSystem,
  options: ScaffoldOptions,
): Promise<readonly FileOutcome[]> {
  const { created, kept } = await scaffoldWorkspace(files, options)
  const before = (await files.read(kept)).map((one): FileOutcome => {
    const trouble = one.state === 'unreadable' && { trouble: one.detail ?? one.reason }
    return { path: one.path, isNew: false, ...trouble }
  })
  const [first] = before
  if (created.length === 0 && first !== undefined && before.every(({ trouble }) => trouble !== undefined)) {
    const why = `${first.path} cannot be read: ${first.trouble}`
    throw new PromptError('io', `${directory}: expected a folder whose files can be read; ${why}`)
  }
  return [...created.map((path) => ({ path, isNew: true })), ...before]
}

/** What cannot be read was not touched either, but `kept` would say that a file is there. */
function outcomeLine({ path, isNew, trouble }: FileOutcome): string {
  if (trouble !== undefined) return `left ${path} (${printable(trouble)})\n`
  return `${isNew ? 'created' : 'kept'} ${path}\n`
}

/** As a shell, and then the command, takes it for one folder. */
function asArgument(folder: string): string {
  const word = folder.startsWith('-') ? `./${folder}` : folder
  const isPlain = /^[\p{L}\p{N}_./:@%+\\-]+$/u.test(word) && (sep === '\\' || !word.includes('\\'))
  return isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`
}
