import type { Section } from '../ports/prompt.js'
import type { Run } from '../workspace/run.js'
import type { Demand } from './allot.js'
import type { Content } from './content.js'
import { cutContent, textUnder } from './cut-content.js'
import type { FittedSection, WriteSections } from './fit.js'
import type { Measure } from './measure.js'
import { type Trial, widestCap, widestStep } from './widest-cap.js'

/** A section and what is known of its size in units of the budget. */
export interface Part {
  readonly section: FittedSection
  /** What is left of it before it is dropped: the section itself where that cannot be shortened. */
  readonly smallest: FittedSection
  minimum: number
  full: number
  /** What stands around the content. */
  overhead: number
  /** How many times its own size content has when it is written: escapes make it longer. */
  scale: number
  /** All that it can be made to show, where whole sections of Markdown do not fill the room. */
  settled?: FittedSection
}

/** What came of one division of the total. */
export interface Outcome {
  readonly sections: readonly FittedSection[]
  readonly written: readonly (Section | undefined)[]
  readonly amounts: readonly number[]
  readonly used: number
}

interface Task {
  readonly sections: readonly FittedSection[]
  readonly run: Run
  readonly write: WriteSections
}

/** All is measured by what is written, but what is long: of that only the shortest form is, and the rest reckoned. */
export function partsOf({ sections, run, write }: Task, measure: Measure): readonly Part[] {
  const smallest = sections.map((section) => shortened(section, run))
  return write(smallest).map((written, index) => {
    const section = sections[index] as FittedSection
    const short = smallest[index] as FittedSection
    const least = sizeOf(written, measure)
    const { content } = section
    if (content === undefined || short === section) {
      return { section, smallest: short, minimum: least, full: least, overhead: 0, scale: 1 }
    }
    const shortest = textUnder(short.cut, content)
    const overhead = Math.max(0, least - measure.sizeOf(shortest))
    const minimum = Math.max(least, overhead + steadySize(content, short.cap, measure))
    const full = Math.max(minimum, overhead + measure.sizeOf(textUnder(section.cut, content)))
    return { section, smallest: short, minimum, full, overhead, scale: 1 }
  })
}

/** The section at its least; the very same where it never yields or is no longer than that. */
function shortened(section: FittedSection, run: Run): FittedSection {
  const { content, priority } = section
  if (content === undefined || priority === Number.POSITIVE_INFINITY || content.least >= section.cap) return section
  return content.text.length <= content.least ? section : capped(section, content, content.least, run)
}

/**
 * What so many units of a text take, a little more rather than less, and the same for as long as the text only grows at
 * its end: sections before it are cut by what is left when this has been given.
 */
function steadySize({ text }: Content, cap: number, measure: Measure): number {
  return measure.unit === 'chars' ? cap : Math.ceil(measure.sizeOf(text.slice(0, cap)) * 1.15)
}

function capped(section: FittedSection, content: Content, cap: number, run: Run): FittedSection {
  return { ...section, cut: cutContent(section, content, cap, run), cap, room: { of: 'total' } }
}

function sizeOf(written: Section | undefined, measure: Measure): number {
  return written === undefined ? 0 : measure.sectionSize(written)
}

export function demandOf({ section, full, minimum }: Part): Demand {
  const { priority, stability } = section
  return { full, minimum: Math.min(minimum, full), priority, late: stability === 'session' || stability === 'turn' }
}

/** The section within an amount. */
export function fitPart(part: Part, amount: number, measure: Measure, run: Run): FittedSection {
  const { section, smallest, settled, full, minimum, overhead, scale } = part
  if (amount >= full) return settled ?? section
  const { content } = section
  if (amount < Math.min(minimum, full)) return { ...section, dropped: true, room: { of: 'total' } }
  if (content === undefined || smallest === section) return section
  if (amount <= minimum) return smallest
  const sizeUnder = (fitted: Pick<FittedSection, 'cut'>) =>
    overhead + scale * measure.sizeOf(textUnder(fitted.cut, content))
  const low: Trial = { cap: smallest.cap, size: sizeUnder(smallest) }
  const high: Trial = { cap: Math.min(section.cap, Math.max(content.text.length, content.total)), size: full }
  const widest = content.stepped ? widestStep : widestCap
  const cap = widest(amount, low, high, (tried) => sizeUnder({ cut: cutContent(section, content, tried, run) }))
  return cap === smallest.cap ? smallest : capped(section, content, cap, run)
}

export function learnSizes(parts: readonly Part[], written: readonly (Section | undefined)[], measure: Measure): void {
  parts.forEach((part, index) => {
    part.full = sizeOf(written[index], measure)
  })
}

/** @returns whether anything was larger than reckoned: a fence that the cut left open, escapes, a heading taken over */
export function correct(parts: readonly Part[], { sections, written, amounts }: Outcome, measure: Measure): boolean {
  let corrected = false
  parts.forEach((part, index) => {
    const size = sizeOf(written[index], measure)
    const over = size - (amounts[index] ?? 0)
    const fitted = sections[index]
    if (over <= 0 || fitted === undefined || fitted.dropped) return
    corrected = true
    if (fitted === part.section) {
      part.full = size
      return
    }
    const scale = scaleOf(part, fitted, size, measure)
    if (scale > part.scale) part.scale = scale
    else part.overhead += over
  })
  return corrected
}

function scaleOf({ overhead }: Part, { content, cut }: FittedSection, size: number, measure: Measure): number {
  const own = content === undefined ? 0 : measure.sizeOf(textUnder(cut, content))
  return own === 0 ? 1 : (size - overhead) / own
}

/** Of its amount, what a section may leave unused before that is looked into. */
const slackShare = 0.03

/** @returns whether a section that leaves some of its amount can be made to use it, or the others can */
export function learnSlack(parts: readonly Part[], { sections, written, amounts }: Outcome, measure: Measure): boolean {
  let learned = false
  parts.forEach((part, index) => {
    const fitted = sections[index]
    const amount = amounts[index] ?? 0
    if (fitted?.cut === undefined || fitted.dropped || amount >= part.full || amount <= part.minimum) return
    const size = sizeOf(written[index], measure)
    if (amount - size <= amount * slackShare) return
    if (fitted.cut.leftOut !== undefined) {
      part.settled = fitted
      part.full = size
      part.minimum = Math.min(part.minimum, size)
      learned = true
    } else if (part.scale > 1) {
      const scale = scaleOf(part, fitted, size, measure)
      if (scale >= part.scale * (1 - slackShare / 2)) return
      part.scale = scale
      learned = true
    }
  })
  return learned
}
