import { reasonOf, warning } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import type { Layer } from '../ports/layer.js'
import type { Diagnostic } from '../ports/prompt.js'
import type { Run } from './run.js'

/** A layer that threw is a diagnostic, said once, or the build's error where the host wants that. */
export function reportLayerFailure(
  layer: Layer<unknown>,
  error: unknown,
  { agent }: Run,
  diagnostics: Diagnostic[],
): void {
  // What a layer refuses to build without is the build's error, never a missing section.
  if (error instanceof PromptError) throw error
  const thrown = `The layer ${layer.id} threw: ${reasonOf(error)}.`
  if (agent.onLayerError === 'throw') {
    throw new PromptError('layer-failed', thrown, { cause: error, data: { layer: layer.id } })
  }
  const message = `${thrown} Its sections are left out.`
  if (diagnostics.some((diagnostic) => diagnostic.message === message)) return
  diagnostics.push(warning('layer-failed', message, { section: layer.id }))
}
