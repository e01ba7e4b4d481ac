import { reasonOf, warning } from '../diagnostics.js'
import type { Agent } from '../ports/agent.js'
import type { Diagnostic } from '../ports/prompt.js'
import type { Tool, ToolRegistry, ToolRole } from '../ports/tool.js'
import { isOneLine } from '../validation.js'
import { cleanText } from '../workspace/clean.js'

const roles: readonly ToolRole[] = ['read', 'write', 'edit', 'skill']

export interface ResolvedTools {
  readonly tools: readonly Tool[]
  readonly toolNames: Readonly<Partial<Record<ToolRole, string>>>
  readonly diagnostics: readonly Diagnostic[]
}

/** An agent's own array of tools never changes, so it is put in order once. */
const resolved = new WeakMap<readonly Tool[], { readonly agent: Agent; readonly result: ResolvedTools }>()

/** The tools of one turn, in the order shown, and the name of the tool that has each role. */
export function resolveTools(agent: Agent, own: ToolRegistry | readonly Tool[] | undefined): ResolvedTools {
  const source = own ?? agent.tools
  if (source !== agent.tools || !isArray(source)) return resolve(agent, source)
  const known = resolved.get(source)
  if (known?.agent === agent) return known.result
  const result = resolve(agent, source)
  resolved.set(source, { agent, result })
  return result
}

const copies = new WeakMap<Tool, { readonly execute: Tool['execute']; readonly copy: Tool }>()

/**
 * Own data of a tool; its method stays bound to the host's object, which may be an instance of a class. A tool that has
 * not changed gives the same copy, so that a turn with the same tools is seen to have the same tools.
 */
export function copyTool(tool: Tool): Tool {
  const known = copies.get(tool)
  if (known !== undefined && known.execute === tool.execute && data.every((key) => known.copy[key] === tool[key])) {
    return known.copy
  }
  const copy = createCopy(tool)
  copies.set(tool, { execute: tool.execute, copy })
  return copy
}

const data = ['name', 'description', 'role', 'usageHint', 'inputSchema', 'schema'] as const

function createCopy(tool: Tool): Tool {
  const { name, description, role, usageHint, inputSchema, schema } = tool
  return Object.freeze({
    name,
    ...(typeof description === 'string' && { description }),
    ...(role !== undefined && { role }),
    ...(typeof usageHint === 'string' && { usageHint }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(schema !== undefined && { schema }),
    ...(typeof tool.execute === 'function' && { execute: tool.execute.bind(tool) }),
  })
}

function resolve(agent: Agent, source: ToolRegistry | readonly Tool[]): ResolvedTools {
  const diagnostics: Diagnostic[] = []
  const byName = new Map<string, Tool>()
  for (const tool of listed(source, diagnostics)) {
    const copy = soundCopy(tool)
    if (copy === undefined) {
      diagnostics.push(
        warning('tools-failed', 'A tool without a name of one line, of characters that can be seen, is left out.'),
      )
      continue
    }
    const { name } = copy
    if (byName.has(name)) {
      const message = `Two tools are named ${name}; the later one replaces the earlier.`
      diagnostics.push(warning('tool-duplicate', message, { data: { name } }))
    }
    byName.set(name, copy)
  }
  const registered = [...byName.values()]
  const tools = agent.toolOrder === 'registration' ? registered : registered.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { tools: Object.freeze(tools), toolNames: namesByRole(agent, tools), diagnostics }
}

function listed(source: ToolRegistry | readonly Tool[], diagnostics: Diagnostic[]): readonly Tool[] {
  if (isArray(source)) return source
  try {
    const tools: unknown = source.list()
    if (Array.isArray(tools)) return tools as readonly Tool[]
    diagnostics.push(warning('tools-failed', 'The tool registry gave no array; the turn goes on without tools.'))
  } catch (error) {
    diagnostics.push(
      warning('tools-failed', `The tool registry threw: ${reasonOf(error)}. The turn goes on without tools.`),
    )
  }
  return []
}

/** A role a tool claims for itself counts before one that its name stands for. */
function namesByRole(agent: Agent, tools: readonly Tool[]): ResolvedTools['toolNames'] {
  const names: Partial<Record<ToolRole, string>> = {}
  for (const role of roles) {
    const named = (tool: Tool) => tool.role === undefined && tool.name === agent.toolNames[role]
    const tool = tools.find((candidate) => candidate.role === role) ?? tools.find(named)
    if (tool !== undefined) names[role] = tool.name
  }
  return Object.freeze(names)
}

/** A registry is other people's code, and so are the objects in it. */
function soundCopy(tool: unknown): Tool | undefined {
  try {
    if (typeof tool !== 'object' || tool === null) return undefined
    const copy = copyTool(tool as Tool)
    return isToolName(copy.name) ? copy : undefined
  } catch {
    return undefined
  }
}

/** Of one line, and without anything that cannot be seen: the prompt repeats it as it is. */
export function isToolName(name: unknown): name is string {
  return isOneLine(name) && cleanText(name).text === name
}

function isArray(source: ToolRegistry | readonly Tool[]): source is readonly Tool[] {
  return Array.isArray(source)
}
