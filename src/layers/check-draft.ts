import type { LayerInput, SectionDraft } from '../ports/layer.js'
import { describe } from '../validation.js'

const texts = ['id', 'text', 'guidance', 'placeholder', 'share'] as const
const stabilities: readonly unknown[] = ['static', 'workspace', 'session', 'turn', undefined]
const frames: readonly unknown[] = ['file', 'bare', undefined]

/**
 * A copy of a draft that the later stages can rely on. Layers are other people's code: what is wrong with a draft is
 * said here, where the layer can still be named. Throws a `TypeError`.
 */
export function checkedDraft(given: unknown, input: LayerInput<unknown>): SectionDraft {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`a section: expected an object, got ${describe(given)}`)
  const { id, headings, file, text, placeholder, guidance, stability, frame, precedence } = given as SectionDraft
  const { rule, share, sharePriority, priority, notes } = given as SectionDraft
  const rest = { rule, share, sharePriority, priority, notes }
  const draft = { id, headings, file, text, placeholder, guidance, stability, frame, precedence, ...rest }
  for (const name of texts) {
    const value = draft[name]
    if (value !== undefined && typeof value !== 'string') fail(name, 'a string', value)
  }
  if (!isListOf(headings, (heading) => /^#{1,6} [^\n\r]+$/.test(heading))) {
    fail('headings', "Markdown headings of one line, such as ['# Mood']", headings)
  }
  if (!isListOf(notes, () => true)) fail('notes', 'a list of sentences', notes)
  if (!isListOf(precedence, () => true)) fail('precedence', 'a list of names', precedence)
  if (!stabilities.includes(stability)) fail('stability', 'static, workspace, session or turn', stability)
  if (!frames.includes(frame)) fail('frame', 'file or bare', frame)
  if (rule !== undefined && typeof rule !== 'boolean') fail('rule', 'true or false', rule)
  if (sharePriority !== undefined && !Number.isFinite(sharePriority)) fail('sharePriority', 'a number', sharePriority)
  if (priority !== undefined && !isPriority(priority)) {
    fail('priority', Number.isNaN(priority) ? 'a number' : 'a finite number or Infinity', priority)
  }
  if (file !== undefined && !input.allDocuments.includes(file)) {
    fail('file', 'one of the documents that the layer was given', file)
  }
  return draft
}

/** Nothing yields before everything else: there is always one more number. */
export function isPriority(value: unknown): value is number {
  return typeof value === 'number' && value > Number.NEGATIVE_INFINITY
}

function isListOf(value: unknown, test: (item: string) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string' && test(item)))
}

function fail(name: string, expected: string, value: unknown): never {
  throw new TypeError(`${name} of a section: expected ${expected}, got ${describe(value)}`)
}
