import type { Preset } from '../../ports/agent.js'
import { clockLayer } from '../clock.js'
import { contractLayer } from '../contract.js'
import { hintsLayer } from '../hints.js'
import { memoryLayer } from '../memory.js'
import { modeLayer } from '../mode.js'
import { soulLayer } from '../persona.js'
import { prefaceLayer } from '../preface.js'
import { preferencesLayer } from '../preferences.js'
import { skillsLayer } from '../skills.js'
import { taskLayer } from '../task.js'
import { toolsLayer } from '../tools.js'
import { userLayer } from '../user.js'
import { opening } from './opening.js'

/** Every layer, ordered so that what changes more often stands behind what changes less. */
export const defaultPreset = {
  layers: [
    ...opening,
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
