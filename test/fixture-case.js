import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSystemPrompt, defineAgent, formatLayer, personaLayer, presets, replaceLayer } from 'soulprompt'
import { nodeFileSystem } from 'soulprompt/node'

/**
 * A case.json: the options and the turn by their names, `preset` by its name; `persona` and `format` name files.
 *
 * @typedef {Omit<import('soulprompt').AgentOptions, 'files' | 'preset' | 'layers'> &
 *   Pick<import('soulprompt').Turn, 'session' | 'hints' | 'mode' | 'preferences'> & {
 *   description: string, preset: keyof typeof presets, now: string,
 *   persona?: string, format?: { path: string, variables?: Record<string, string> } }} Case
 */

/**
 * Builds the prompt of one fixture.
 *
 * @param {string} folder
 * @param {'auto' | 'sync' | 'async'} [io]
 */
export async function buildCase(folder, io = 'auto') {
  const {
    description: _,
    preset,
    session,
    now,
    hints,
    mode,
    preferences,
    persona,
    format,
    ...options
  } = /** @type {Case} */ (JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')))
  /** @type {readonly import('soulprompt').Layer<unknown>[]} */
  let layers = presets[preset].layers
  if (persona !== undefined) layers = replaceLayer(layers, 'persona', personaLayer(persona))
  if (format !== undefined) layers = replaceLayer(layers, 'format', formatLayer(format.path, format.variables))
  const files = nodeFileSystem(join(folder, 'workspace'), { io })
  const agent = defineAgent({ ...options, files, preset: presets[preset], layers })
  return buildSystemPrompt(agent, { session, now: new Date(now), hints, mode, preferences })
}
