import { PromptError } from '../errors.js'
import type { DocumentSpec } from '../ports/document.js'
import type { LayerDocument, LayerInput } from '../ports/layer.js'
import { refuse } from '../validation.js'
import { checkPath, normalizePath } from '../workspace/paths.js'

/** The path of a file that the host names; `undefined` where it names none. Throws `invalid-options`. */
export function namedPath(where: string, path: string | null | undefined): string | undefined {
  if (path === undefined || path === null || path.trim() === '') return undefined
  const normal = normalizePath(path)
  const why = checkPath(normal)
  if (why !== undefined) {
    refuse(where, [{ path: 'path', message: `expected a path inside the workspace, ${JSON.stringify(path)} ${why}` }])
  }
  return normal
}

/** Whoever is shown the prompt is shown a file that the host's code names. */
export function namedSpec(layer: string, path: string, detail: DocumentSpec['detail'] = 'full'): DocumentSpec {
  return { path, layer, detail, audience: { private: false } }
}

/**
 * The file that the host names for a layer. A prompt must not go out without it in silence: throws `layer-failed` when
 * it is missing or unreadable. `undefined`: another layer has it already.
 */
export function namedFile({ documents }: LayerInput, layer: string, path: string): LayerDocument | undefined {
  const file = documents.find(({ spec }) => spec.path === path)
  if (file === undefined || file.state === 'present' || file.state === 'empty') return file
  const what = file.state === 'unreadable' ? `could not be read (${file.document.reason})` : 'is missing'
  throw new PromptError(
    'layer-failed',
    `The ${layer} file ${path} ${what}; a prompt is not built without its ${layer}.`,
    {
      data: { layer, path },
    },
  )
}
