/** What a tool is to the workspace. A text that tells the model to use a tool names the tool of that role. */
export type ToolRole = 'read' | 'write' | 'edit' | 'skill'

export interface Tool {
  readonly name: string
  readonly description?: string | undefined
  /** Left out: the role whose name in `toolNames` (by default `read`, `write`, `edit`, `skill`) is this tool's name. */
  readonly role?: ToolRole | undefined
  /** When to use it, said after the description in the tools section. */
  readonly usageHint?: string | undefined
  /** A JSON Schema. Carried along, not shown. */
  readonly inputSchema?: unknown | undefined
  /** A Standard Schema. Carried along, not shown. */
  readonly schema?: unknown | undefined
  execute?(input: unknown, options?: unknown): unknown
}

export interface ToolRegistry {
  list(): readonly Tool[]
}
