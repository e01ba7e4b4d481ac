import type { Preset } from '../../ports/agent.js'
import { baseLayer } from '../base.js'
import { formatLayer } from '../format.js'
import { hintsLayer } from '../hints.js'
import { identityLayer } from '../identity.js'
import { modeLayer } from '../mode.js'
import { soulLayer } from '../persona.js'
import { rulesLayer } from '../rules.js'
import { safetyLayer } from '../safety.js'
import { skillsLayer } from '../skills.js'
import { toolsLayer } from '../tools.js'
import { only } from './documents.js'

/**
 * One layer on another, each from a file of its own and without guidance:
 *
 *   ‹persona file› · ‹format file› · ‹inline skills› · outline of the others · # Tools with their parameters
 *
 * The persona is SOUL.md, or `replaceLayer(…, 'persona', personaLayer(path))`; the format is none, or
 * `replaceLayer(…, 'format', formatLayer(path, variables))`. Memory reaches the model as context alone. Meant for
 * `pinFiles`.
 */
export const layeredPreset = {
  layers: [
    safetyLayer,
    baseLayer(),
    rulesLayer,
    identityLayer,
    soulLayer({ heading: false, guidance: false }),
    formatLayer(),
    skillsLayer({ heading: false }),
    toolsLayer({ parameters: true }),
    modeLayer,
    hintsLayer,
  ],
  documents: only('SOUL.md'),
  safety: false,
  notes: false,
  delimiter: 'heading',
} as const satisfies Preset
