import { reasonOf } from './diagnostics.js'
import { PromptError } from './errors.js'
import { checkAgent } from './options/define-agent.js'
import type { Agent } from './ports/agent.js'
import { describe, refuse } from './validation.js'
import { bootstrapRecord } from './workspace/bootstrap-record.js'
import { isConflict } from './workspace/conflict.js'

/**
 * Records in the workspace that the first meeting is over: from the next build on BOOTSTRAP.md is not shown any more,
 * whatever is in the files. Recording it twice changes nothing. To meet anew, remove `.soulprompt/bootstrap.json`.
 *
 * @param options - `now`: the time that the record names. Default: none.
 * @throws PromptError `invalid-options` for what is no agent, `capability-missing` where the file system cannot write;
 * what its `write` throws, `io` at last.
 * @example
 * await completeBootstrap(agent, { now: new Date() })
 */
export async function completeBootstrap(agent: Agent, options: { readonly now?: Date } = {}): Promise<void> {
  checkAgent(agent)
  const { files } = agent
  if (files.write === undefined) {
    const message = `${files.name} cannot write, so the end of the first meeting cannot be recorded in ${bootstrapRecord}.`
    throw new PromptError('capability-missing', message, { data: { path: bootstrapRecord } })
  }
  const { now } = options
  if (now !== undefined && !(now instanceof Date && !Number.isNaN(now.getTime()))) {
    refuse('completeBootstrap', [{ path: 'now', message: `expected a valid Date, got ${describe(now)}` }])
  }
  const at = now === undefined ? {} : { at: now.toISOString() }
  try {
    await files.write(bootstrapRecord, `${JSON.stringify({ completed: true, ...at })}\n`, { ifVersion: null })
  } catch (error) {
    if (isConflict(error)) return
    if (error instanceof PromptError) throw error
    const message = `The end of the first meeting could not be recorded in ${bootstrapRecord}: ${reasonOf(error)}.`
    throw new PromptError('io', message, { cause: error, data: { path: bootstrapRecord } })
  }
}
