/** What a tool is to the workspace. A text that tells the model to use a tool names the tool of that role. */
export type ToolRole = 'read' | 'write' | 'edit' | 'skill'

export interface Tool {
  readonly name: string
  readonly description?: string
  /** Left out: the role whose name in `toolNames` (by default `read`, `write`, `edit`, `skill`) is this tool's name. */
  readonly role?: ToolRole
  /** When to use it, said after the description in the tools section. */
  readonly usageHint?: string
  /** A JSON Schema. Carried along, not shown. */
  readonly inputSchema?: unknown
  /** A Standard Schema. Carried along, not shown. */
  readonly schema?: unknown
  execute?(input: unknown, options?: unknown): unknown
}

export interface ToolRegistry {
  list(): readonly Tool[]
}
