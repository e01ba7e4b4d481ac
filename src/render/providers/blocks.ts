import type { Stability } from '../../ports/layer.js'
import type { Section, SystemPrompt } from '../../ports/prompt.js'
import { describe, refuse } from '../../validation.js'

/** As much of a {@link SystemPrompt} as a provider needs. */
export interface ProviderPrompt extends Pick<SystemPrompt, 'text'> {
  readonly sections: readonly Pick<Section, 'text' | 'stability'>[]
}

/** Sections that follow each other and have one prefix stability, the running maximum of `stability` from the top. */
export interface Block {
  readonly stability: Stability
  readonly text: string
}

export const stabilities: readonly Stability[] = ['static', 'workspace', 'session', 'turn']

/**
 * Cuts a prompt where its prefix stability rises, and nowhere else: at most four blocks, none of them empty, which
 * concatenate to the prompt's text. Throws `invalid-options` for sections that are not those of the text.
 */
export function blocksOf(where: string, prompt: ProviderPrompt): readonly Block[] {
  checkPrompt(where, prompt)
  const { text, sections } = prompt
  const blocks: Block[] = []
  for (const section of sections) {
    // An empty section changes no byte, so it ends no prefix either.
    if (section.text === '') continue
    const rank = rankOf(where, section.stability)
    const last = blocks.at(-1)
    if (last === undefined || rank > stabilities.indexOf(last.stability)) {
      blocks.push({ stability: section.stability, text: section.text })
    } else {
      blocks[blocks.length - 1] = { stability: last.stability, text: last.text + section.text }
    }
  }
  const joined = blocks.map((block) => block.text).join('')
  if (joined !== text) {
    const message = `expected sections that concatenate to the text, ${text.length} UTF-16 units, got ${joined.length}`
    refuse(where, [{ path: 'prompt.sections', message }])
  }
  return blocks
}

/** A forgotten `await` is the usual mistake. */
export function checkPrompt(where: string, prompt: unknown, needs: readonly string[] = ['text', 'sections']): void {
  const given: Readonly<Record<string, unknown>> = typeof prompt === 'object' && prompt !== null ? { ...prompt } : {}
  const isPrompt = typeof given.text === 'string' && (!needs.includes('sections') || Array.isArray(given.sections))
  if (isPrompt) return
  const message = `expected a prompt, as buildSystemPrompt resolves to: { ${needs.join(', ')} }, got ${describe(prompt)}`
  refuse(where, [{ path: 'prompt', message }])
}

function rankOf(where: string, stability: Stability): number {
  const rank = stabilities.indexOf(stability)
  const message = `expected a stability of ${stabilities.join(', ')}, got ${describe(stability)}`
  if (rank < 0) refuse(where, [{ path: 'prompt.sections', message }])
  return rank
}
