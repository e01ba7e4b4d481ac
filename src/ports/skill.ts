/** Something the agent knows how to do: said in the prompt, or found in a file when it is needed. */
export type Skill = InlineSkill | OutlineSkill

/** Its text stands in the prompt. */
export interface InlineSkill {
  readonly id: string
  readonly text: string
  /** Lowest first, then by id in code-unit order. Default 50. */
  readonly priority?: number | undefined
}

/** The prompt says what it is for and where to read it. */
export interface OutlineSkill {
  readonly id: string
  /** Shown on one line. */
  readonly description: string
  /** Where the model's read tool finds it. */
  readonly path: string
  /** As for inline skills. Default 50. */
  readonly priority?: number | undefined
}
