import * as z from 'zod'
import { reasonOf } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import type { FileSystem } from '../ports/file-system.js'
import type { Locale } from '../ports/texts.js'
import { check, locale, refuse } from '../validation.js'
import { isConflict } from '../workspace/conflict.js'
import { answersByPath, fileSystemProblems } from '../workspace/store-answers.js'
import { type Templates, templatePaths } from './template-paths.js'

export interface ScaffoldOptions {
  /** The language of the templates. Default `en`. */
  readonly locale?: Locale | undefined
  /** Whether SOUL.md is among them. Default `false`: agent and user create it in their first conversation. */
  readonly soul?: boolean | undefined
}

export interface ScaffoldResult {
  /** The paths that were written, in their order. */
  readonly created: readonly string[]
  /** The paths that were left as they are: there already, unreadable, or created by somebody else meanwhile. */
  readonly kept: readonly string[]
}

/**
 * Creates the files of a new workspace that are missing: AGENTS.md, IDENTITY.md, USER.md, TOOLS.md, HEARTBEAT.md,
 * BOOTSTRAP.md and, when asked for, SOUL.md. It never changes a file that is there, and never creates MEMORY.md: that
 * begins with the first thing worth remembering. One `read`, then one create-only `write` for each missing file.
 *
 * USER.md and IDENTITY.md are blank forms: until somebody fills them in, a prompt says that the user is not known yet,
 * and BOOTSTRAP.md leads the first conversation.
 *
 * @throws PromptError `invalid-options`; `capability-missing` where the file system cannot write; what the store throws,
 * under its own code or else as `io`, with `data.created`: the files that were written before. They stay, so calling
 * again goes on where it stopped.
 * @example
 * const { created } = await scaffoldWorkspace(nodeFileSystem('./workspace'), { locale: 'zh-CN' })
 */
export async function scaffoldWorkspace(files: FileSystem, options: ScaffoldOptions = {}): Promise<ScaffoldResult> {
  const where = 'scaffoldWorkspace'
  refuse(where, fileSystemProblems('', files))
  const { read, write } = files
  const { locale = 'en', soul = false } = check(where, optionsSchema, options)
  if (typeof write !== 'function') {
    throw new PromptError('capability-missing', `${files.name} cannot write, so no workspace can be created in it.`)
  }
  const templates = await load[locale]()
  const paths = templatePaths.filter((path) => soul || path !== 'SOUL.md')

  const created: string[] = []
  const kept: string[] = []
  const answers = await attempt(`${files.name} could not be read`, created, async () =>
    answersByPath(files, paths, await read.call(files, [...paths])),
  )
  for (const path of paths) {
    const isNew =
      answers.get(path)?.state === 'missing' &&
      (await attempt(`${path} could not be created in ${files.name}`, created, () =>
        create(() => write.call(files, path, templates[path], { ifVersion: null })),
      ))
    ;(isNew ? created : kept).push(path)
  }
  return Object.freeze({ created: Object.freeze(created), kept: Object.freeze(kept) })
}

const optionsSchema = z.strictObject({ locale: locale.optional(), soul: z.boolean().optional() })

// Whoever only builds prompts loads neither.
const load: Readonly<Record<Locale, () => Promise<Templates>>> = {
  en: async () => (await import('./templates/en.js')).templates,
  'zh-CN': async () => (await import('./templates/zh-CN.js')).templates,
}

/** Whether this call made the file; `false` where somebody else was first. */
async function create(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

/** Does one thing with the store; an error says what was done before. */
async function attempt<Result>(what: string, created: readonly string[], act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (cause) {
    const [code, data] = cause instanceof PromptError ? [cause.code, cause.data] : (['io', {}] as const)
    const before = created.length === 0 ? '' : ` Created before: ${created.join(', ')}.`
    const message = `${what}: ${reasonOf(cause).replace(/\.$/, '')}.${before}`
    throw new PromptError(code, message, { cause, data: { ...data, created: [...created] } })
  }
}
