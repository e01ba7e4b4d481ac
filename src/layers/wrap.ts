import type { Layer, SectionDraft } from '../ports/layer.js'

/** The layer as one segment of a prompt: a rule stands above what it says first. */
export function segment(layer: Layer): Layer {
  return withDrafts(layer, (draft) => ({ ...draft, rule: true }))
}

/**
 * The layer with all it says in one share of the budget.
 *
 * @param sharePriority - what is lower is shortened first
 */
export function inShare(layer: Layer, share: string, sharePriority: number): Layer {
  return withDrafts(layer, (draft) => ({ ...draft, share, sharePriority }))
}

function withDrafts(layer: Layer, change: (draft: SectionDraft) => SectionDraft): Layer {
  return { ...layer, render: (input) => layer.render(input).map(change) }
}
