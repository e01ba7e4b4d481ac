import { warning } from '../diagnostics.js'
import { PromptError } from '../errors.js'
import type { TotalBudget } from '../ports/agent.js'
import type { BudgetUse, Diagnostic } from '../ports/prompt.js'
import type { Run } from '../workspace/run.js'
import { allot } from './allot.js'
import { estimatedTokens } from './estimate.js'
import type { Fitted, FittedSection, WriteSections } from './fit.js'
import { correct, demandOf, fitPart, learnSizes, learnSlack, type Outcome, partsOf } from './fit-part.js'
import { inTokens, type Measure, measureFor } from './measure.js'
import { definitionsSize } from './tool-definitions.js'
import { checkUntouchable } from './untouchable.js'

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

/** How often sizes are corrected before the room is made smaller outright, or what fits is taken as it is. */
const maxCorrections = 8

function fitBy(measure: Measure, task: Task): Fitted {
  const { total, run, write } = task
  const limit = total.chars ?? total.tokens
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

  let best: Outcome | undefined
  for (let round = 0, excess = 0; ; round += 1) {
    const amounts = allot(Math.max(0, room - excess), Math.min(reserve, room), parts.map(demandOf))
    const sections = parts.map((part, index) => fitPart(part, amounts[index] ?? 0, measure, run))
    const written = write(sections)
    const used = measure.wholeSize(written.filter((section) => section !== undefined))
    const outcome = { sections, written, amounts, used }
    if (used <= room) {
      if (best === undefined || used > best.used) best = outcome
      if (round < maxCorrections && learnSlack(parts, outcome, measure)) continue
    } else if (best === undefined) {
      // What all that yields made room for, and still too much: only a counter whose counts do not add up says so.
      if (excess > room) throw overTotal(measure, limit, used + tools)
      const corrected = round < maxCorrections && correct(parts, outcome, measure)
      if (!corrected) excess = Math.max(excess + used - room, excess * 2)
      continue
    }
    return report(best.sections, { limit, used: best.used + tools, measure, run })
  }
}

/** In English and code a token has four chars or so: where nothing need be cut, no size but that of the whole is needed. */
function mightFit(sections: readonly FittedSection[], room: number, { unit }: Measure): boolean {
  const chars = sections.reduce((sum, { content, cap }) => sum + Math.min(content?.text.length ?? 0, cap), 0)
  return chars <= (unit === 'chars' ? room : room * 4)
}

function report(
  sections: readonly FittedSection[],
  use: { readonly limit: number; readonly used: number; readonly measure: Measure; readonly run: Run },
): Fitted {
  const { limit, used, measure, run } = use
  const { unit, exact, counter } = measure
  const reserve = Math.floor(limit * run.agent.budget.reserve)
  const budget: BudgetUse = Object.freeze({
    unit,
    limit,
    used,
    reserve,
    exact,
    ...(counter && { counter: counter.name }),
  })
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
