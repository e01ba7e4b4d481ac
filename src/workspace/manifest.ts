import { freezeDeep } from '../plain-data.js'
import type { DocumentSpec } from '../ports/document.js'
import { priorities } from './priorities.js'

const { soul, identity, contract, user, memory, tools, task } = priorities

/**
 * The files a workspace is known to hold, the layer that shows each, the least detail at which it is shown, and what of
 * them yields first where room is short.
 */
export const manifest: readonly DocumentSpec[] = freezeDeep<DocumentSpec[]>([
  { path: 'AGENTS.md', layer: 'contract', detail: 'minimal', priority: contract },
  { path: 'SOUL.md', layer: 'persona', order: 0, priority: soul },
  { path: 'IDENTITY.md', layer: 'persona', order: 10, priority: identity },
  { path: 'USER.md', layer: 'user', priority: user },
  { path: 'MEMORY.md', layer: 'memory', fallback: 'memory.md', priority: memory },
  { path: 'TOOLS.md', layer: 'tools', detail: 'minimal', priority: tools },
  { path: 'BOOTSTRAP.md', layer: 'task', order: 0, optional: true, priority: task },
  { path: 'HEARTBEAT.md', layer: 'task', order: 10, priority: task },
  { path: 'BOOT.md', layer: 'task', order: 20, priority: task },
])
