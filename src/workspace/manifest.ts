import { freezeDeep } from '../plain-data.js'
import type { DocumentSpec } from '../ports/document.js'

/** The files a workspace is known to hold, the layer that shows each, and the least detail at which it is shown. */
export const manifest: readonly DocumentSpec[] = freezeDeep<DocumentSpec[]>([
  { path: 'AGENTS.md', layer: 'contract', detail: 'minimal' },
  { path: 'SOUL.md', layer: 'persona', order: 0 },
  { path: 'IDENTITY.md', layer: 'persona', order: 10 },
  { path: 'USER.md', layer: 'user' },
  { path: 'MEMORY.md', layer: 'memory', fallback: 'memory.md' },
  { path: 'TOOLS.md', layer: 'tools', detail: 'minimal' },
  { path: 'BOOTSTRAP.md', layer: 'task', order: 0, optional: true },
  { path: 'HEARTBEAT.md', layer: 'task', order: 10 },
  { path: 'BOOT.md', layer: 'task', order: 20 },
])
