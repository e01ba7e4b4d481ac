import type { Fitted, FittedSection } from '../budget/fit.js'
import type { Composed } from '../layers/compose.js'
import type { Agent } from '../ports/agent.js'
import type { ContextBlock, Section, SystemPrompt } from '../ports/prompt.js'
import type { Run } from '../workspace/run.js'
import { sameItems } from '../workspace/watched-turn.js'
import { fingerprint } from './fingerprint.js'
import { reportDiagnostics, reportSources } from './report.js'
import { writeSections } from './write-sections.js'

const noContext: readonly ContextBlock[] = Object.freeze([])

/** Puts the sections into words and gives the account of them. */
export function render(fitted: Fitted, composed: Composed, run: Run): SystemPrompt {
  const written = writeSections(fitted.sections, run.agent)
  const sections: Section[] = []
  const shown: FittedSection[] = []
  fitted.sections.forEach((section, index) => {
    const text = written[index]
    if (text === undefined) return
    sections.push(text)
    shown.push(section)
  })
  const whole = joinSections(sections, run.agent)
  return Object.freeze({
    text: whole.text,
    sections: whole.sections,
    context: noContext,
    sources: reportSources(fitted, shown, composed, run),
    diagnostics: reportDiagnostics(fitted, shown, composed, run),
    memory: run.turn.session.memory,
    precedence: Object.freeze([...(shown.find(({ draft }) => draft.precedence)?.draft.precedence ?? [])]),
    chars: whole.text.length,
    ...(fitted.budget !== undefined && { budget: fitted.budget }),
    fingerprint: whole.fingerprint,
  })
}

interface Whole {
  readonly sections: readonly Section[]
  readonly text: string
  readonly fingerprint: string
}

const wholes = new WeakMap<Agent, Whole>()

/** Joining forty thousand characters again is spared while every section is the one of last time. */
function joinSections(sections: readonly Section[], agent: Agent): Whole {
  const known = wholes.get(agent)
  if (known !== undefined && sameItems(known.sections, sections)) return known
  const text = sections.map((section) => section.text).join('')
  const whole = {
    sections: Object.freeze(sections),
    text,
    fingerprint: fingerprint(sections.map((section) => section.fingerprint).join('')),
  }
  wholes.set(agent, whole)
  return whole
}
