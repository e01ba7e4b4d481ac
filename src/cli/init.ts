import { parseArgs } from 'node:util'
import { nodeFileSystem } from '../adapters/node/index.js'
import { PromptError } from '../errors.js'
import type { FileSystem } from '../ports/file-system.js'
import { type ScaffoldResult, scaffoldWorkspace } from '../scaffold/scaffold-workspace.js'
import { textsByLocale } from '../texts/index.js'
import { type Command, flagLines, folderIn, parsed, type Terminal } from './command.js'
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
    const { created, kept } = await scaffoldWorkspace(files, { locale, soul: values.soul ?? false })
      .then((result) => checkKept(directory, files, result, err))
      .catch(async (error: unknown) => {
        await takeBack()
        throw error
      })
    out([...created.map((path) => `created ${path}\n`), ...kept.map((path) => `kept ${path}\n`)].join(''))
    const flags = values.locale === undefined ? '' : ` --locale ${locale}`
    out(`See the prompt they give: soulprompt build ${printable(quoted(directory))}${flags}\n`)
  },
}

/** What cannot be read is kept as well, which is not what `kept` means to a person. */
async function checkKept(
  directory: string,
  files: FileSystem,
  result: ScaffoldResult,
  err: Terminal['err'],
): Promise<ScaffoldResult> {
  const troubles = (await files.read(result.kept)).flatMap((one) =>
    one.state === 'unreadable' ? [`${one.path} cannot be read: ${one.detail ?? one.reason}`] : [],
  )
  if (result.created.length === 0 && troubles.length > 0 && troubles.length === result.kept.length) {
    throw new PromptError('io', `${directory}: expected a folder whose files can be read; ${troubles[0]}`)
  }
  for (const trouble of troubles) err(`warning: ${printable(trouble)}\n`)
  return result
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\p{L}\p{N}_./:@%+\\-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
