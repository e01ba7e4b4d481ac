import { freezeDeep } from '../plain-data.js'
import type { Preset } from '../ports/agent.js'
import type { DocumentSpec } from '../ports/document.js'
import { baseLayer } from './base.js'
import { clockLayer } from './clock.js'
import { contractLayer } from './contract.js'
import { hintsLayer } from './hints.js'
import { identityLayer } from './identity.js'
import { memoryLayer } from './memory.js'
import { personaLayer } from './persona.js'
import { prefaceLayer } from './preface.js'
import { projectLayer } from './project.js'
import { rulesLayer } from './rules.js'
import { safetyLayer } from './safety.js'
import { taskLayer } from './task.js'
import { toolsLayer } from './tools.js'
import { userLayer } from './user.js'

/**
 * Layouts to start from. Each is plain data: orders of the same layers, with their own limits.
 *
 * - `default`: every layer, ordered so that what changes more often stands behind what changes less
 * - `companion`: base, persona, user, memory, tools, rules under plain headings
 * - `workspace`: all files together as project context, 65,536 chars each
 */
export const presets = freezeDeep({
  default: {
    layers: [
      safetyLayer,
      baseLayer(),
      rulesLayer,
      identityLayer,
      toolsLayer(),
      prefaceLayer,
      contractLayer,
      personaLayer,
      userLayer,
      memoryLayer,
      taskLayer,
      clockLayer,
      hintsLayer,
    ],
  },
  companion: {
    layers: [
      safetyLayer,
      baseLayer({ heading: true }),
      identityLayer,
      personaLayer,
      userLayer,
      memoryLayer,
      toolsLayer({ onlyWithReach: true }),
      rulesLayer,
      hintsLayer,
    ],
    documents: only('SOUL.md', 'USER.md', 'MEMORY.md'),
    safety: false,
    notes: false,
    delimiter: 'heading',
  },
  workspace: {
    layers: [
      safetyLayer,
      baseLayer(),
      rulesLayer,
      identityLayer,
      toolsLayer(),
      projectLayer,
      taskLayer,
      clockLayer,
      hintsLayer,
    ],
    documents: (defaults) =>
      inLayer(defaults, 'project', ['AGENTS.md', 'SOUL.md', 'USER.md', 'IDENTITY.md', 'MEMORY.md']),
    budget: { perFile: 65_536 },
  },
} as const satisfies Record<string, Preset>)

function only(...paths: readonly string[]): (defaults: readonly DocumentSpec[]) => readonly DocumentSpec[] {
  return (defaults) => defaults.filter((spec) => paths.includes(spec.path))
}

/** The files named, moved to one layer in the order named. */
function inLayer(defaults: readonly DocumentSpec[], layer: string, paths: readonly string[]): readonly DocumentSpec[] {
  return defaults.map((spec) => {
    const order = paths.indexOf(spec.path)
    return order === -1 ? spec : { ...spec, layer, order }
  })
}
