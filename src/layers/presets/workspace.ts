import type { Preset } from '../../ports/agent.js'
import { baseLayer } from '../base.js'
import { clockLayer } from '../clock.js'
import { formatLayer } from '../format.js'
import { hintsLayer } from '../hints.js'
import { identityLayer } from '../identity.js'
import { modeLayer } from '../mode.js'
import { preferencesLayer } from '../preferences.js'
import { projectLayer } from '../project.js'
import { rulesLayer } from '../rules.js'
import { safetyLayer } from '../safety.js'
import { skillsLayer } from '../skills.js'
import { taskLayer } from '../task.js'
import { toolsLayer } from '../tools.js'
import { inLayer } from './documents.js'

/**
 * All files together, 65,536 chars each:
 *
 *   safety · base · # Tools, TOOLS.md · # Skills · # Project Context ‹AGENTS, SOUL, USER, IDENTITY, MEMORY, notes› ·
 *   task · clock · hints
 */
export const workspacePreset = {
  layers: [
    safetyLayer,
    baseLayer(),
    rulesLayer,
    identityLayer,
    formatLayer(),
    toolsLayer(),
    skillsLayer(),
    projectLayer,
    preferencesLayer({ heading: 'headingPreferences' }),
    modeLayer,
    taskLayer,
    clockLayer,
    hintsLayer,
  ],
  documents: inLayer('project', ['AGENTS.md', 'SOUL.md', 'USER.md', 'IDENTITY.md', 'MEMORY.md']),
  budget: { perFile: 65_536 },
} as const satisfies Preset
