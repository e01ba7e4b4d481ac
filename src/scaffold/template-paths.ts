/** The files of a new workspace, in the order in which they are created. MEMORY.md is none: memory begins with a memory. */
export const templatePaths = [
  'AGENTS.md',
  'SOUL.md',
  'IDENTITY.md',
  'USER.md',
  'TOOLS.md',
  'HEARTBEAT.md',
  'BOOTSTRAP.md',
] as const

export type TemplatePath = (typeof templatePaths)[number]

/** The texts of one locale. */
export type Templates = Readonly<Record<TemplatePath, string>>
