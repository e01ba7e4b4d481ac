import type { FittedSection } from '../budget/fit.js'
import { once } from '../plain-data.js'
import type { Agent } from '../ports/agent.js'
import type { LayerDocument } from '../ports/layer.js'
import type { Section } from '../ports/prompt.js'
import { sameItems } from '../workspace/watched-turn.js'
import { fingerprint } from './fingerprint.js'
import { type Opening, sectionText } from './frame.js'

/**
 * Puts sections into words, one after another; `undefined` for one that says nothing. Headings that a section shares
 * with the one before it are said by the first that is there.
 */
export function writeSections(fitted: readonly FittedSection[], agent: Agent): readonly (Section | undefined)[] {
  let standing: readonly string[] = []
  let layerBefore: string | undefined
  return fitted.map((section) => {
    if (section.dropped) return undefined
    const path = section.draft.headings ?? []
    const headings = path.slice(sharedPrefix(standing, path))
    const rule = section.draft.rule === true && (layerBefore ?? section.layer) !== section.layer
    const written = writeSection(section, { headings, rule }, agent)
    if (written === undefined) return undefined
    standing = path
    layerBefore = section.layer
    return written
  })
}

function sharedPrefix(standing: readonly string[], path: readonly string[]): number {
  let count = 0
  while (count < path.length && standing[count] === path[count]) count += 1
  return count
}

/** What a section's text depends on. Equal inputs give the very same section, so an unchanged file costs nothing. */
interface Written {
  readonly inputs: readonly unknown[]
  readonly section: Section | undefined
}

/** A fit writes a section whole, at its least and as it is shown in the end. */
const maxForms = 4
const ofFiles = new WeakMap<LayerDocument, Written[]>()
const ofTexts = new WeakMap<Agent, Map<string, Written[]>>()
const maxTexts = 64

function writeSection(section: FittedSection, opening: Opening, agent: Agent): Section | undefined {
  const forms = formsOf(section, agent)
  const inputs = inputsOf(section, opening, agent)
  const known = forms.find((form) => sameItems(form.inputs, inputs))
  if (known !== undefined) return known.section
  const text = sectionText(section, opening, agent)
  const written = { inputs, section: text === '' ? undefined : freezeSection(section, text) }
  if (forms.length >= maxForms) forms.shift()
  forms.push(written)
  return written.section
}

function formsOf({ id, draft }: FittedSection, agent: Agent): Written[] {
  if (draft.file !== undefined) return once(ofFiles, draft.file, () => [])
  const texts = once(ofTexts, agent, () => new Map<string, Written[]>())
  const known = texts.get(id)
  if (known !== undefined) return known
  if (texts.size >= maxTexts) texts.clear()
  const forms: Written[] = []
  texts.set(id, forms)
  return forms
}

function inputsOf(section: FittedSection, opening: Opening, agent: Agent): readonly unknown[] {
  const { id, layer, stability, priority, draft, cut } = section
  const inputs: unknown[] = [agent, id, layer, stability, priority, opening.headings.length, opening.rule]
  inputs.push(draft.guidance, draft.placeholder, draft.text, draft.frame)
  inputs.push(cut?.head, cut?.tail, cut?.marker, ...(draft.headings ?? []))
  return inputs
}

function freezeSection({ id, layer, stability, priority, draft }: FittedSection, text: string): Section {
  return Object.freeze({
    id,
    layer,
    text,
    chars: text.length,
    stability,
    priority: Number.isFinite(priority) ? priority : null,
    ...(draft.file !== undefined && { source: draft.file.path }),
    fingerprint: fingerprint(text),
  })
}
