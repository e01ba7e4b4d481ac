import type { Preset } from '../../ports/agent.js'
import { hintsLayer } from '../hints.js'
import { modeLayer } from '../mode.js'
import { soulLayer } from '../persona.js'
import { preferencesLayer } from '../preferences.js'
import { skillsLayer } from '../skills.js'
import { toolsLayer } from '../tools.js'
import { userLayer } from '../user.js'
import { inShare } from '../wrap.js'
import { only } from './documents.js'
import { opening } from './opening.js'

const share = 'persona'

/**
 * Who the agent is, whom it serves and in which mode, in 1,500 chars in all (`budget.shares.persona`):
 *
 *   safety · base · # Persona ‹SOUL, IDENTITY› · # User Preferences ‹USER, preferences› · # Mode · # Skills · # Tools ·
 *   hints
 *
 * What is short of room takes it from SOUL and IDENTITY first, then from USER and the preferences, last from the mode.
 */
export const personaPreset = {
  layers: [
    ...opening,
    inShare(soulLayer({ guidance: false }), share, 0),
    inShare(userLayer({ heading: 'headingPreferences', guidance: false }), share, 1),
    inShare(preferencesLayer({ heading: 'headingPreferences' }), share, 1),
    inShare(modeLayer, share, 2),
    skillsLayer(),
    toolsLayer(),
    hintsLayer,
  ],
  documents: only('SOUL.md', 'IDENTITY.md', 'USER.md', 'TOOLS.md'),
  budget: { shares: { [share]: 1_500 } },
  notes: false,
} as const satisfies Preset
