/** What a tool is to the workspace. A text that tells the model to use a tool names the tool of that role. */
export type ToolRole = 'read' | 'write' | 'edit' | 'skill'

export interface Tool {
  readonly name: string
  readonly description?: string | undefined
  /** Left out: the role whose name in `toolNames` (by default `read`, `write`, `edit`, `skill`) is this tool's name. */
  readonly role?: ToolRole | undefined
  /** When to use it, said after the description in the tools section. */
  readonly usageHint?: string | undefined
  /**
   * A JSON Schema. Layouts that show parameters, such as `layered`, show their names and types. A changed schema is a new
   * object: one that is changed in place may be shown as it was.
   */
  readonly inputSchema?: unknown | undefined
  /** A Standard Schema: in place of `inputSchema` where it can tell its JSON Schema. */
  readonly schema?: unknown | undefined
  execute?(input: unknown, options?: unknown): unknown
}

export interface ToolRegistry {
  list(): readonly Tool[]
}
