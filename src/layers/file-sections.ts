import type { LayerDocument, LayerInput, SectionDraft } from '../ports/layer.js'

/** What stands around one file. */
export interface FileFrame {
  readonly guidance?: string | undefined
  /** Shown in place of the file when it is empty. */
  readonly placeholder?: string | undefined
}

/**
 * One section a file of the layer, all under the layer's headings.
 *
 *   state        content       guidance
 *   present      yes           yes
 *   empty        placeholder   yes
 *   missing      –             yes
 *   unreadable   –             –
 */
export function fileSections(
  { documents }: Pick<LayerInput<unknown>, 'documents'>,
  headings: readonly string[],
  frameOf: (file: LayerDocument) => FileFrame = () => ({}),
): readonly SectionDraft[] {
  return documents.flatMap((file) => {
    if (file.state === 'unreadable') return []
    const { guidance, placeholder } = frameOf(file)
    const shows = file.state === 'present' || (file.state === 'empty' && placeholder !== undefined)
    if (!shows && guidance === undefined) return []
    return [{ headings: headingsFor(file, headings), file, guidance, placeholder }]
  })
}

/** Empty SOUL, USER and MEMORY files are said to be empty; others vanish. */
export function placeholderFor(file: LayerDocument, { texts }: Pick<LayerInput<unknown>, 'texts'>): string | undefined {
  return ['SOUL.md', 'USER.md', 'MEMORY.md'].includes(file.spec.path) ? texts.empty : undefined
}

function headingsFor(file: LayerDocument, headings: readonly string[]): readonly string[] {
  const { title } = file.spec
  if (title === undefined) return headings
  return [...headings, `${'#'.repeat(Math.min(6, levelOf(headings) + 1))} ${title}`]
}

/** The level of the innermost of a path of headings; 0 without any. */
export function levelOf(headings: readonly string[] | undefined): number {
  return Math.max(0, (headings?.at(-1) ?? '').search(/[^#]/))
}
