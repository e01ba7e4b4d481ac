import { freezeDeep } from '../../plain-data.js'
import type { Preset } from '../../ports/agent.js'
import { companionPreset } from './companion.js'
import { defaultPreset } from './default.js'
import { layeredPreset } from './layered.js'
import { personaPreset } from './persona.js'
import { segmentsPreset } from './segments.js'
import { workspacePreset } from './workspace.js'

/**
 * Layouts to start from. Each is plain data: an order of the same layers, with its own limits.
 *
 * - `default`: every layer, ordered so that what changes more often stands behind what changes less
 * - `companion`: base, persona, user, memory, tools, rules under plain headings
 * - `layered`: a persona file, a format file, skills and tools, without guidance
 * - `workspace`: all files together as project context, 65,536 chars each
 * - `persona`: who the agent is, whom it serves and in which mode, in 1,500 chars, of which SOUL and IDENTITY yield first
 * - `segments`: SYSTEM_PROMPT.md, then tools and hints, each behind a rule
 */
export const presets = freezeDeep({
  default: defaultPreset,
  companion: companionPreset,
  layered: layeredPreset,
  workspace: workspacePreset,
  persona: personaPreset,
  segments: segmentsPreset,
} as const satisfies Record<string, Preset>)
