import { PromptError } from '../errors.js'
import type { Composed, ComposedSection } from '../layers/compose.js'
import type { LayerDocument } from '../ports/layer.js'
import { mayRead } from '../workspace/audience.js'
import type { Run } from '../workspace/run.js'
import { gapOf } from '../workspace/views.js'
import { type Cut, cutText } from './cut.js'
import { truncationMarker } from './marker.js'

/** A composed section and, where its file is longer than its cap, what is left of it. */
export interface FittedSection extends ComposedSection {
  readonly cut: Cut | undefined
  /** The file's cap in this prompt, in UTF-16 units of content: its own, or its part of a shared one. */
  readonly cap: number
}

/** Cuts each file to its cap. Pure, and a function of sizes: nothing is remembered between turns. */
export function fit(composed: Composed, run: Run): readonly FittedSection[] {
  const shares = sharedCaps(composed.sections)
  return composed.sections.map((section) => {
    const { file } = section.draft
    if (file === undefined || file.state !== 'present') return { ...section, cut: undefined, cap: 0 }
    const cap = shares.get(file) ?? file.limit.max
    const cut = cutFile(file, cap, run)
    if (cut !== undefined && section.draft.frame === 'bare') throw overCap(section, file, cap)
    return { ...section, cut, cap }
  })
}

function cutFile(file: LayerDocument, cap: number, { agent, turn, audience }: Run): Cut | undefined {
  const gap = gapOf(file)
  if (gap === undefined && file.content.length <= cap) return undefined
  const tool = mayRead(audience, file.path) ? turn.toolNames.read : undefined
  return cutText(file.content, {
    max: cap,
    head: file.limit.head,
    tail: file.limit.tail,
    strategy: file.limit.strategy,
    gap,
    marker: truncationMarker(agent.texts, {
      total: file.total,
      file: file.path,
      ...(file.document.approximate && { approximate: true }),
      ...(tool !== undefined && { tool }),
    }),
    compactMarker: agent.texts.truncatedCompact,
  })
}

/**
 * Files of one share divide the cap that the first one's spec names. Each gets what it needs and may have, as long as
 * that is no more than its part of what is left, the smallest first: so no file goes short while another has more than
 * its part.
 */
function sharedCaps(sections: readonly ComposedSection[]): ReadonlyMap<LayerDocument, number> {
  const groups = new Map<string, LayerDocument[]>()
  for (const { draft } of sections) {
    const { file } = draft
    if (file?.spec.share === undefined || file.state !== 'present') continue
    const group = groups.get(file.spec.share)
    if (group === undefined) groups.set(file.spec.share, [file])
    else group.push(file)
  }
  const caps = new Map<LayerDocument, number>()
  for (const files of groups.values()) {
    let left = sharedCap(files)
    const byNeed = files
      .map((file) => ({ file, need: Math.min(file.total, file.limit.max) }))
      .sort((a, b) => a.need - b.need)
    byNeed.forEach(({ file, need }, index) => {
      const cap = Math.min(need, Math.floor(left / (byNeed.length - index)))
      caps.set(file, cap)
      left -= cap
    })
  }
  return caps
}

function sharedCap([first]: readonly LayerDocument[]): number {
  const budget = first?.spec.budget
  return (typeof budget === 'number' ? budget : budget?.max) ?? first?.limit.max ?? 0
}

/** What the host says in its own voice is never cut in silence: it fits, or the build says why not. */
function overCap(section: ComposedSection, file: LayerDocument, cap: number): PromptError {
  const message = `${file.path} is the ${section.layer} text, which is never cut: expected at most ${cap} chars, it has ${file.total}.`
  return new PromptError('budget-too-small', message, { data: { path: file.path, cap, chars: file.total } })
}
