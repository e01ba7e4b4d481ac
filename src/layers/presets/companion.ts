import type { Preset } from '../../ports/agent.js'
import { baseLayer } from '../base.js'
import { formatLayer } from '../format.js'
import { hintsLayer } from '../hints.js'
import { identityLayer } from '../identity.js'
import { memoryLayer } from '../memory.js'
import { modeLayer } from '../mode.js'
import { soulLayer } from '../persona.js'
import { preferencesLayer } from '../preferences.js'
import { rulesLayer } from '../rules.js'
import { safetyLayer } from '../safety.js'
import { skillsLayer } from '../skills.js'
import { toolsLayer } from '../tools.js'
import { userLayer } from '../user.js'
import { only } from './documents.js'

/**
 * Plain headings, and guidance under each file:
 *
 *   # System ‹base› · # Persona ‹SOUL› · # User ‹USER› · # Memory ‹MEMORY› · # Tools · # Conversation rules ‹rules›
 */
export const companionPreset = {
  layers: [
    safetyLayer,
    baseLayer({ heading: true }),
    identityLayer,
    formatLayer(),
    soulLayer(),
    userLayer(),
    preferencesLayer(),
    memoryLayer,
    skillsLayer(),
    toolsLayer({ onlyWithReach: true }),
    rulesLayer,
    modeLayer,
    hintsLayer,
  ],
  documents: only('SOUL.md', 'USER.md', 'MEMORY.md'),
  safety: false,
  notes: false,
  delimiter: 'heading',
} as const satisfies Preset
