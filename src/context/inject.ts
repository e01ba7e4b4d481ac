import { reasonOf, warning } from '../diagnostics.js'
import type { ContextInjector } from '../ports/context-injector.js'
import type { ContextBlock, Diagnostic } from '../ports/prompt.js'
import { describe } from '../validation.js'
import { mayInject } from '../workspace/audience.js'
import { cleanText } from '../workspace/clean.js'
import { withDeadline } from '../workspace/deadline.js'
import type { Run } from '../workspace/run.js'

const defaultTag = 'memory'

export interface LoadedContext {
  readonly context: readonly ContextBlock[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Runs the injectors of the turn side by side. One that fails or is late costs a diagnostic, not the turn. */
export async function loadContext(run: Run): Promise<LoadedContext> {
  const injectors = run.agent.injectors.filter((injector) => mayInject(run.audience, injector.private !== false))
  if (injectors.length === 0) return { context: [], diagnostics: [] }
  const results = await Promise.all(injectors.map((injector) => inject(run, injector)))
  return {
    context: results.filter((result) => 'tag' in result),
    diagnostics: results.filter((result) => 'code' in result),
  }
}

async function inject(run: Run, injector: ContextInjector): Promise<ContextBlock | Diagnostic | Record<never, never>> {
  const { name } = injector
  const ms = run.agent.deadlines.injector
  const outcome = await withDeadline((options) => injector.inject(run.turn, options), ms, run.turn.signal)
  const failed = (why: string) =>
    warning('injector-failed', `The context injector ${name} ${why}. The turn goes on without it.`, { section: name })
  if (outcome.state === 'late') return failed(`took longer than ${ms} ms`)
  if (outcome.state === 'failed') return failed(`threw: ${reasonOf(outcome.error)}`)

  try {
    return blockOf(injector, outcome.value) ?? {}
  } catch (error) {
    return failed(error instanceof TypeError ? error.message : `threw: ${reasonOf(error)}`)
  }
}

function blockOf(injector: ContextInjector, injection: unknown): ContextBlock | undefined {
  if (injection === undefined || injection === null) return undefined
  const { text, source } =
    typeof injection === 'string'
      ? { text: injection, source: undefined }
      : (injection as { text?: unknown; source?: unknown })
  if (typeof text !== 'string' || (source !== undefined && typeof source !== 'string')) {
    throw new TypeError(`gave ${describe(injection)}, expected a text or { text, source }`)
  }
  const clean = cleanText(text).text.trim()
  if (clean === '') return undefined
  return {
    name: injector.name,
    tag: injector.tag ?? defaultTag,
    text: clean,
    ...(source !== undefined && { source: cleanText(source).text.trim() }),
    private: injector.private !== false,
  }
}
