import type { ContextBlock, SystemPrompt } from '../ports/prompt.js'
import { mayInject } from '../workspace/audience.js'
import type { Run } from '../workspace/run.js'

/** The prompt with those blocks of context that its session may see. */
export function withContext(prompt: SystemPrompt, blocks: readonly ContextBlock[], run: Run): SystemPrompt {
  const visible = blocks.filter((block) => mayInject(run.audience, block.private !== false))
  if (visible.length === 0) return prompt
  return Object.freeze({ ...prompt, context: Object.freeze(visible.map((block) => Object.freeze({ ...block }))) })
}
