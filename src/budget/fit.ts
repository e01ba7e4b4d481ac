import { PromptError } from '../errors.js'
import type { Composed, ComposedSection } from '../layers/compose.js'
import type { BudgetUse, Diagnostic, Section } from '../ports/prompt.js'
import type { Run } from '../workspace/run.js'
import { type Content, contentOf } from './content.js'
import type { Cut } from './cut.js'
import { cutContent } from './cut-content.js'
import { fitTotal } from './fit-total.js'
import { divide } from './shares.js'

/** A composed section and, where its content is longer than its cap, what is left of it. */
export interface FittedSection extends ComposedSection {
  /** What may be cut; `undefined` where there is nothing. */
  readonly content: Content | undefined
  readonly cut: Cut | undefined
  /** The cap in this prompt, in UTF-16 units of content: its own, or its part of a share or of the total. */
  readonly cap: number
  /** What the cap is a part of, where it is not its own. */
  readonly room?: { readonly of: 'share'; readonly name: string } | { readonly of: 'total' } | undefined
  /** The total had no room for it. */
  readonly dropped?: true
}

export interface Fitted {
  readonly sections: readonly FittedSection[]
  /** How the total was used, where there is one. */
  readonly budget?: BudgetUse
  readonly diagnostics: readonly Diagnostic[]
}

/** Puts sections into words, one after another; `undefined` for one that says nothing. */
export type WriteSections = (sections: readonly FittedSection[]) => readonly (Section | undefined)[]

/**
 * Cuts each section to its cap, then all of them to the total. Pure, and a function of sizes: nothing is remembered
 * between turns.
 */
export function fit(composed: Composed, run: Run, write: WriteSections): Fitted {
  const sections = fitCaps(composed, run)
  const { total } = run.agent.budget
  return total === undefined ? { sections, diagnostics: [] } : fitTotal(sections, total, run, write)
}

function fitCaps(composed: Composed, run: Run): readonly FittedSection[] {
  const measured = composed.sections.map((section) => ({ section, content: contentOf(section.draft, run) }))
  const shares = sharedCaps(measured, run)
  return measured.map(({ section, content }) => {
    const { id, layer, stability, priority, draft } = section
    // Named one by one: with thousands of sections, copying them by spreading would be most of the work.
    const fitted = { id, layer, stability, priority, draft, content, cut: undefined, cap: 0, room: undefined }
    if (content === undefined) return fitted
    const cap = shares.get(section) ?? content.max
    const cut = cutContent(section, content, cap, run)
    if (cut !== undefined && draft.frame === 'bare') throw overCap(section, content, cap)
    const share = shareOf(section)
    const room = share === undefined ? undefined : ({ of: 'share', name: share } as const)
    return Object.assign(fitted, { cut, cap, room })
  })
}

interface Measured {
  readonly section: ComposedSection
  readonly content: Content | undefined
}

/** What each section of a share may have: the budget's amount for the share, or the cap of its first file, divided. */
function sharedCaps(measured: readonly Measured[], run: Run): ReadonlyMap<ComposedSection, number> {
  const groups = new Map<string, { readonly section: ComposedSection; readonly content: Content }[]>()
  for (const { section, content } of measured) {
    const share = shareOf(section)
    if (share === undefined || content === undefined) continue
    const group = groups.get(share)
    if (group === undefined) groups.set(share, [{ section, content }])
    else group.push({ section, content })
  }
  const caps = new Map<ComposedSection, number>()
  for (const [share, group] of groups) {
    const { shares } = run.agent.budget
    const total = (Object.hasOwn(shares, share) ? shares[share] : undefined) ?? group[0]?.content.max ?? 0
    const claims = group.map(({ section, content }) => ({
      need: Math.min(content.total, content.max),
      // However long a text is, it leaves the others of its share a third of it.
      minimum:
        section.draft.file === undefined ? Math.min(content.minimum, Math.floor((total * 2) / 3)) : content.minimum,
      priority: section.draft.sharePriority ?? 0,
    }))
    divide(total, claims).forEach((cap, index) => {
      const section = group[index]?.section
      if (section !== undefined) caps.set(section, cap)
    })
  }
  return caps
}

function shareOf({ draft }: ComposedSection): string | undefined {
  return draft.share ?? draft.file?.spec.share
}

/** What the host says in its own voice is never cut in silence: it fits, or the build says why not. */
function overCap({ layer, draft, id }: ComposedSection, { total }: Content, cap: number): PromptError {
  const path = draft.file?.path ?? id
  const message = `${path} is the ${layer} text, which is never cut: expected at most ${cap} chars, it has ${total}.`
  return new PromptError('budget-too-small', message, { data: { path, cap, chars: total } })
}
