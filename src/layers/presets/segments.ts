import type { Preset } from '../../ports/agent.js'
import { baseLayer } from '../base.js'
import { formatLayer } from '../format.js'
import { hintsLayer } from '../hints.js'
import { identityLayer } from '../identity.js'
import { modeLayer } from '../mode.js'
import { rulesLayer } from '../rules.js'
import { safetyLayer } from '../safety.js'
import { skillsLayer } from '../skills.js'
import { toolsLayer } from '../tools.js'
import { segment } from '../wrap.js'
import { only } from './documents.js'

/**
 * One file that says it all, and what the turn adds, each behind a rule:
 *
 *   ‹SYSTEM_PROMPT.md›
 *   ---
 *   # Notes on the tools
 *   ---
 *   # Runtime state ‹hints›
 *
 * The file is the base: without it no prompt is built. `base` names another one, or is a text.
 */
export const segmentsPreset = {
  layers: [
    safetyLayer,
    baseLayer(),
    ...[
      rulesLayer,
      identityLayer,
      formatLayer(),
      skillsLayer(),
      toolsLayer({ style: 'notes' }),
      modeLayer,
      hintsLayer,
    ].map(segment),
  ],
  documents: only(),
  base: { path: 'SYSTEM_PROMPT.md' },
  safety: false,
  notes: false,
  delimiter: 'heading',
} as const satisfies Preset
