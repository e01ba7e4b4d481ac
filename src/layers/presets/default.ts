import type { Preset } from '../../ports/agent.js'
import { baseLayer } from '../base.js'
import { clockLayer } from '../clock.js'
import { contractLayer } from '../contract.js'
import { formatLayer } from '../format.js'
import { hintsLayer } from '../hints.js'
import { identityLayer } from '../identity.js'
import { memoryLayer } from '../memory.js'
import { modeLayer } from '../mode.js'
import { soulLayer } from '../persona.js'
import { prefaceLayer } from '../preface.js'
import { preferencesLayer } from '../preferences.js'
import { rulesLayer } from '../rules.js'
import { safetyLayer } from '../safety.js'
import { skillsLayer } from '../skills.js'
import { taskLayer } from '../task.js'
import { toolsLayer } from '../tools.js'
import { userLayer } from '../user.js'

/** Every layer, ordered so that what changes more often stands behind what changes less. */
export const defaultPreset = {
  layers: [
    safetyLayer,
    baseLayer(),
    rulesLayer,
    identityLayer,
    formatLayer(),
    skillsLayer(),
    toolsLayer(),
    prefaceLayer,
    contractLayer,
    soulLayer(),
    userLayer(),
    preferencesLayer(),
    memoryLayer,
    modeLayer,
    taskLayer,
    clockLayer,
    hintsLayer,
  ],
} as const satisfies Preset
