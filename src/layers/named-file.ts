import type { DocumentSpec } from '../ports/document.js'
import type { Layer, LayerDocument, LayerInput, SectionDraft } from '../ports/layer.js'
import { describe, refuse } from '../validation.js'
import { checkPath, normalizePath } from '../workspace/paths.js'
import { priorities } from '../workspace/priorities.js'

/** The path of a file that the host names; `undefined` where it names none. Throws `invalid-options`. */
function namedPath(where: string, path: string | null | undefined): string | undefined {
  if (path === undefined || path === null) return undefined
  if (typeof path !== 'string') refuse(where, [{ path: 'path', message: `expected a path, got ${describe(path)}` }])
  if (path.trim() === '') return undefined
  const normal = normalizePath(path)
  const why = checkPath(normal)
  if (why !== undefined) {
    refuse(where, [{ path: 'path', message: `expected a path inside the workspace, ${JSON.stringify(path)} ${why}` }])
  }
  return normal
}

/**
 * A layer that shows one file which the host names, and no other. Without a path it shows nothing.
 *
 * @param heading - Default: where files stand in tags; where content stands bare the file brings its own.
 * @param draftOf - What is shown of the file.
 */
export function namedFileLayer(
  { id, stability, priority }: Pick<Layer, 'id' | 'stability'> & { readonly priority: number },
  path: string | null | undefined,
  headingKey: 'headingPersona' | 'headingFormat',
  heading: boolean | undefined,
  draftOf: (file: LayerDocument) => SectionDraft,
): Layer {
  const named = namedPath(`${id}Layer`, path)
  return {
    id,
    stability,
    exclusive: true,
    documents: () => (named === undefined ? [] : [{ ...namedSpec(id, named), priority }]),
    render: (input) => {
      const file = named === undefined ? undefined : namedFile(input, named)
      if (file === undefined) return []
      const hasHeading = heading ?? input.agent.delimiter === 'tag'
      return [{ headings: hasHeading ? [input.texts[headingKey]] : [], ...draftOf(file) }]
    },
  }
}

/** Whoever is shown the prompt is shown a file that the host's code names, and no prompt goes out without it. */
export function namedSpec(layer: string, path: string, detail: DocumentSpec['detail'] = 'full'): DocumentSpec {
  return { path, layer, detail, audience: { private: false }, priority: priorities.never, required: true }
}

/** The file that the host names for a layer; `undefined` where another layer has it already, or it is empty. */
export function namedFile({ documents }: LayerInput, path: string): LayerDocument | undefined {
  return documents.find((file) => file.spec.path === path && file.state === 'present')
}
