import type { Preset } from '../../ports/agent.js'
import { clockLayer } from '../clock.js'
import { hintsLayer } from '../hints.js'
import { modeLayer } from '../mode.js'
import { preferencesLayer } from '../preferences.js'
import { projectLayer } from '../project.js'
import { skillsLayer } from '../skills.js'
import { taskLayer } from '../task.js'
import { toolsLayer } from '../tools.js'
import { inLayer } from './documents.js'
import { opening } from './opening.js'

/**
 * All files together, 65,536 chars each:
 *
 *   safety · base · # Tools, TOOLS.md · # Skills · # Project Context ‹AGENTS, SOUL, USER, IDENTITY, MEMORY, notes› ·
 *   task · clock · hints
 */
export const workspacePreset = {
  layers: [
    ...opening,
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
