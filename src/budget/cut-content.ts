import type { ComposedSection } from '../layers/compose.js'
import { mayRead } from '../workspace/audience.js'
import type { Run } from '../workspace/run.js'
import type { Content } from './content.js'
import { type Cut, cutText, joinCut } from './cut.js'
import { truncationMarker } from './marker.js'

/** What is left of a section's content under a cap in UTF-16 units; `undefined` where all of it is. */
export function cutContent({ draft }: ComposedSection, content: Content, cap: number, run: Run): Cut | undefined {
  const { text, gap, total, approximate, head, tail, strategy, boundary, stepped } = content
  if (gap === undefined && text.length <= cap) return undefined
  const { agent, turn, audience } = run
  // What the layer put in the file's place cannot be read there.
  const path = draft.text === undefined ? draft.file?.path : undefined
  const tool = path !== undefined && mayRead(audience, path) ? turn.toolNames.read : undefined
  return cutText(text, {
    max: cap,
    head,
    tail,
    strategy,
    boundary,
    stepped,
    gap,
    total,
    marker: truncationMarker(agent.texts, {
      total,
      stepped,
      ...(approximate && { approximate }),
      ...(path !== undefined && { file: path }),
      ...(tool !== undefined && { tool }),
    }),
    compactMarker: agent.texts.truncatedCompact,
  })
}

/** The content as a cut shows it. */
export function textUnder(cut: Cut | undefined, content: Content): string {
  return cut === undefined ? content.text : joinCut(cut)
}
