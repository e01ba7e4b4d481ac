import type { FittedSection } from '../budget/fit.js'
import type { Composed } from '../layers/compose.js'
import { once } from '../plain-data.js'
import type { Agent } from '../ports/agent.js'
import type { LayerDocument } from '../ports/layer.js'
import type { ContextBlock, Section, SystemPrompt } from '../ports/prompt.js'
import type { Run } from '../workspace/run.js'
import { sameItems } from '../workspace/watched-turn.js'
import { fingerprint } from './fingerprint.js'
import { type Opening, sectionText } from './frame.js'
import { reportDiagnostics, reportSources } from './report.js'

const noContext: readonly ContextBlock[] = Object.freeze([])

/** Puts the sections into words and gives the account of them. */
export function render(fitted: readonly FittedSection[], composed: Composed, run: Run): SystemPrompt {
  const { agent } = run
  let standing: readonly string[] = []
  const sections: Section[] = []
  const shown: FittedSection[] = []
  for (const section of fitted) {
    const path = section.draft.headings ?? []
    const headings = path.slice(sharedPrefix(standing, path))
    const rule = section.draft.rule === true && (sections.at(-1)?.layer ?? section.layer) !== section.layer
    const rendered = renderSection(section, { headings, rule }, agent)
    if (rendered === undefined) continue
    standing = path
    sections.push(rendered)
    shown.push(section)
  }
  const whole = joinSections(sections, agent)
  return Object.freeze({
    text: whole.text,
    sections: whole.sections,
    context: noContext,
    sources: reportSources(shown, composed, run),
    diagnostics: reportDiagnostics(fitted, shown, composed, run),
    memory: run.turn.session.memory,
    precedence: Object.freeze([...(shown.find(({ draft }) => draft.precedence)?.draft.precedence ?? [])]),
    chars: whole.text.length,
    fingerprint: whole.fingerprint,
  })
}

function sharedPrefix(standing: readonly string[], path: readonly string[]): number {
  let count = 0
  while (count < path.length && standing[count] === path[count]) count += 1
  return count
}

/** What a section's text depends on. Equal inputs give the very same section, so an unchanged file costs nothing. */
interface Rendered {
  readonly inputs: readonly unknown[]
  readonly section: Section | undefined
}

const ofFiles = new WeakMap<LayerDocument, Rendered>()
const ofTexts = new WeakMap<Agent, Map<string, Rendered>>()
const maxTexts = 64

function renderSection(section: FittedSection, opening: Opening, agent: Agent): Section | undefined {
  const { id, layer, stability, draft, cut } = section
  const { file } = draft
  const inputs = [
    agent,
    id,
    layer,
    stability,
    opening.headings.length,
    opening.rule,
    draft.guidance,
    draft.placeholder,
    draft.text,
    draft.frame,
  ]
  inputs.push(cut?.head.length, cut?.tail.length, cut?.marker, ...(draft.headings ?? []))

  const texts = file === undefined ? once(ofTexts, agent, () => new Map<string, Rendered>()) : undefined
  const known = file === undefined ? texts?.get(id) : ofFiles.get(file)
  if (known !== undefined && sameItems(known.inputs, inputs)) return known.section

  const text = sectionText(section, opening, agent)
  const rendered = { inputs, section: text === '' ? undefined : freezeSection(section, text) }
  if (file !== undefined) ofFiles.set(file, rendered)
  else {
    if (texts !== undefined && texts.size >= maxTexts) texts.clear()
    texts?.set(id, rendered)
  }
  return rendered.section
}

function freezeSection({ id, layer, stability, draft }: FittedSection, text: string): Section {
  return Object.freeze({
    id,
    layer,
    text,
    chars: text.length,
    stability,
    ...(draft.file !== undefined && { source: draft.file.path }),
    fingerprint: fingerprint(text),
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
