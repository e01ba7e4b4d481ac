import { schemaOf } from '../layers/tool-parameters.js'
import type { Tool } from '../ports/tool.js'
import type { Measure } from './measure.js'

/** What the definitions of tools add to a request: as JSON, which providers' own forms differ little from. */
export function definitionsSize(tools: readonly Tool[], measure: Measure): number {
  return tools.length === 0 ? 0 : measure.sizeOf(`[${tools.map(definitionOf).join(',')}]`)
}

/** Schemas come from servers: one that is no JSON counts by its name and description. */
function definitionOf(tool: Tool): string {
  const { name, description } = tool
  try {
    return JSON.stringify({ name, description, input_schema: schemaOf(tool) })
  } catch {
    return JSON.stringify({ name, description })
  }
}
