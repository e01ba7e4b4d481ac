import { warning } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import type { TotalBudget } from '../ports/agent.js'
import type { BudgetUse, Diagnostic, Section } from '../ports/prompt.js'
import type { Run } from '../workspace/run.js'
import { allot, type Demand } from './allot.js'
import type { Content } from './content.js'
import { cutContent, textUnder } from './cut-content.js'
import { estimatedTokens } from './estimate.js'
import type { Fitted, FittedSection, WriteSections } from './fit.js'
import { inTokens, type Measure, measureFor } from './measure.js'
import { definitionsSize } from './tool-definitions.js'
import { checkUntouchable } from './untouchable.js'
import { type Trial, widestCap } from './widest-cap.js'

/**
 * Shortens and drops sections until the whole keeps to the total. Sizes are those of sections as written, with all that
 * stands around their content. A counter that fails is a diagnostic, and the estimate takes its place.
 */
export function fitTotal(
  sections: readonly FittedSection[],
  total: TotalBudget,
  run: Run,
  write: WriteSections,
): Fitted {
  try {
    return fitBy(measureFor(total), { sections, total, run, write })
  } catch (error) {
    if (!(error instanceof PromptError) || error.code !== 'invalid-options') throw error
    const fitted = fitBy(inTokens(estimatedTokens), { sections, total, run, write })
    const failed = warning('counter-failed', `${error.message} The prompt is fitted by estimate.`, { data: error.data })
    return { ...fitted, diagnostics: [failed, ...fitted.diagnostics] }
  }
}

interface Task {
  readonly sections: readonly FittedSection[]
  readonly total: TotalBudget
  readonly run: Run
  readonly write: WriteSections
}

/** How often sizes are corrected before the room is made smaller outright. */
const maxCorrections = 8

function fitBy(measure: Measure, task: Task): Fitted {
  const { total, run, write } = task
  const limit = 'chars' in total ? total.chars : total.tokens
  const tools = total.tools === true ? definitionsSize(run.turn.tools, measure) : 0
  const room = limit - tools
  if (mightFit(task.sections, room, measure)) {
    const used = measure.wholeSize(write(task.sections).filter((section) => section !== undefined))
    if (used <= room) return report(task.sections, { limit, used: used + tools, measure, run })
  }
  const reserve = Math.floor(limit * run.agent.budget.reserve)
  const parts = partsOf(task, measure)
  checkUntouchable(
    parts.map(({ section, full }) => ({ id: section.id, size: section.priority === Infinity ? full : 0 })),
    { limit, tools, measure },
  )
  // Where all might fit, sizes are taken from what would be shown, so that nothing is cut that need not be.
  if (parts.reduce((sum, { full }) => sum + full, 0) <= room * 1.05) learnSizes(parts, write(task.sections), measure)

  for (let round = 0, excess = 0; ; round += 1) {
    const amounts = allot(Math.max(0, room - excess), Math.min(reserve, room), parts.map(demandOf))
    const sections = parts.map((part, index) => fitPart(part, amounts[index] ?? 0, measure, run))
    const written = write(sections)
    const used = measure.wholeSize(written.filter((section) => section !== undefined))
    if (used <= room) return report(sections, { limit, used: used + tools, measure, run })
    // What all that yields made room for, and still too much: only a counter whose counts do not add up says so.
    if (excess > room) throw overTotal(measure, limit, used + tools)
    const corrected = round < maxCorrections && correct(parts, { sections, written, amounts }, measure)
    if (!corrected) excess = Math.max(excess + used - room, excess * 2)
  }
}

/** In English and code a token has four chars or so: where nothing need be cut, no size but that of the whole is needed. */
function mightFit(sections: readonly FittedSection[], room: number, { unit }: Measure): boolean {
  const chars = sections.reduce((sum, { content, cap }) => sum + Math.min(content?.text.length ?? 0, cap), 0)
  return chars <= (unit === 'chars' ? room : room * 4)
}

/** A section and what is known of its size in units of the budget. */
interface Part {
  readonly section: FittedSection
  /** What is left of it before it is dropped: the section itself where that cannot be shortened. */
  readonly smallest: FittedSection
  readonly minimum: number
  full: number
  /** What stands around the content. */
  overhead: number
}

/** All is measured by what is written, but what is long: of that only the shortest form is, and the rest reckoned. */
function partsOf({ sections, run, write }: Task, measure: Measure): readonly Part[] {
  const smallest = sections.map((section) => shortened(section, run))
  return write(smallest).map((written, index) => {
    const section = sections[index] as FittedSection
    const short = smallest[index] as FittedSection
    const minimum = sizeOf(written, measure)
    const { content } = section
    if (content === undefined || short === section)
      return { section, smallest: short, minimum, full: minimum, overhead: 0 }
    const overhead = Math.max(0, minimum - measure.sizeOf(textUnder(short.cut, content)))
    const full = Math.max(minimum, overhead + measure.sizeOf(textUnder(section.cut, content)))
    return { section, smallest: short, minimum, full, overhead }
  })
}

/** The section at its least; the very same where it never yields or is no longer than that. */
function shortened(section: FittedSection, run: Run): FittedSection {
  const { content, priority } = section
  if (content === undefined || priority === Number.POSITIVE_INFINITY || content.least >= section.cap) return section
  return content.text.length <= content.least ? section : capped(section, content, content.least, run)
}

function capped(section: FittedSection, content: Content, cap: number, run: Run): FittedSection {
  return { ...section, cut: cutContent(section, content, cap, run), cap, room: { of: 'total' } }
}

function sizeOf(written: Section | undefined, measure: Measure): number {
  return written === undefined ? 0 : measure.sectionSize(written)
}

function demandOf({ section, full, minimum }: Part): Demand {
  const { priority, stability } = section
  return { full, minimum: Math.min(minimum, full), priority, late: stability === 'session' || stability === 'turn' }
}

function fitPart(part: Part, amount: number, measure: Measure, run: Run): FittedSection {
  const { section, smallest, full, minimum, overhead } = part
  if (amount >= full) return section
  const { content } = section
  if (amount < Math.min(minimum, full)) return { ...section, dropped: true, room: { of: 'total' } }
  if (content === undefined || smallest === section) return section
  const low: Trial = { cap: smallest.cap, size: overhead + measure.sizeOf(textUnder(smallest.cut, content)) }
  const high: Trial = { cap: Math.min(section.cap, Math.max(content.text.length, content.total)), size: full }
  const cap = widestCap(amount, low, high, (tried) => {
    return overhead + measure.sizeOf(textUnder(cutContent(section, content, tried, run), content))
  })
  return cap === smallest.cap ? smallest : capped(section, content, cap, run)
}

function learnSizes(parts: readonly Part[], written: readonly (Section | undefined)[], measure: Measure): void {
  parts.forEach((part, index) => {
    part.full = sizeOf(written[index], measure)
  })
}

interface Outcome {
  readonly sections: readonly FittedSection[]
  readonly written: readonly (Section | undefined)[]
  readonly amounts: readonly number[]
}

/** @returns whether anything was larger than reckoned: a fence that the cut left open, escapes, a heading taken over */
function correct(parts: readonly Part[], { sections, written, amounts }: Outcome, measure: Measure): boolean {
  let corrected = false
  parts.forEach((part, index) => {
    const size = sizeOf(written[index], measure)
    const over = size - (amounts[index] ?? 0)
    if (over <= 0 || sections[index]?.dropped) return
    corrected = true
    if (sections[index] === part.section) part.full = size
    else part.overhead += over
  })
  return corrected
}

function report(
  sections: readonly FittedSection[],
  use: { readonly limit: number; readonly used: number; readonly measure: Measure; readonly run: Run },
): Fitted {
  const { limit, used, measure, run } = use
  const { unit, exact, counter } = measure
  const budget: BudgetUse = Object.freeze({ unit, limit, used, exact, ...(counter && { counter: counter.name }) })
  const diagnostics: Diagnostic[] = []
  if (used >= limit * run.agent.thresholds.nearCap) {
    const by = counter === undefined ? '' : ` by ${counter.name}`
    const message = `The prompt has ${used} ${unit}${by}, ${Math.floor((used / limit) * 100)} % of its total of ${limit}.`
    diagnostics.push(warning('total-near', message, { data: { ...budget } }))
  }
  return { sections, budget, diagnostics }
}

function overTotal(measure: Measure, limit: number, used: number): PromptError {
  const message = `What never yields has ${used} ${measure.unit} as a whole; expected at most ${limit}.`
  return new PromptError('budget-too-small', message, { data: { limit, used, over: used - limit } })
}
