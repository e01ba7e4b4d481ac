export type Locale = 'en' | 'zh-CN'

/**
 * Every sentence that the library itself puts into a prompt. `{name}` stands for a value; values are put in literally
 * and in one pass, so nothing in them is ever expanded.
 */
export interface Texts {
  readonly headingSafety: string
  readonly headingBase: string
  readonly headingRules: string
  readonly headingFormat: string
  readonly headingSkills: string
  readonly headingTools: string
  readonly headingContract: string
  readonly headingPersona: string
  /** In place of the tools heading where lines about tools only add to what the host says of them. */
  readonly headingToolNotes: string
  readonly headingUser: string
  /** For USER.md and preferences in layouts that are all about the persona. */
  readonly headingPreferences: string
  readonly headingMode: string
  readonly headingMemory: string
  readonly headingProject: string
  readonly headingNotes: string
  readonly headingTask: string
  readonly headingClock: string
  readonly headingHints: string

  readonly safety: string
  /** `{name}` */
  readonly identity: string
  /** `{value}` */
  readonly identityRole: string
  readonly identityGoals: string
  readonly identityVoice: string
  /** Stands for the safety layer in the order of precedence. */
  readonly precedenceSafety: string
  /** `{order}` */
  readonly precedence: string
  readonly alreadyLoaded: string
  /** `{file}` */
  readonly embody: string
  /** Shown in place of an empty file. */
  readonly empty: string

  readonly toolsIntro: string
  /** `{name}`, `{description}` */
  readonly toolLine: string
  /** `{name}`, `{description}`: a line under `headingToolNotes`. */
  readonly toolNote: string
  /** `{parameters}`: below a tool's line. */
  readonly toolParameters: string

  readonly skillsIntro: string
  /** `{id}`, `{description}`, `{path}` */
  readonly skillLine: string
  readonly skillsOutro: string

  /** `{key}`, `{value}` */
  readonly preference: string
  /** `{name}`, `{style}` */
  readonly mode: string

  /** `{file}` in each of these; `{tool}` where the key says so. */
  readonly soulPresent: string
  readonly soulAbsent: string
  readonly userSparse: string
  readonly userRich: string
  readonly userUpdateWithTool: string
  readonly userUpdate: string
  readonly memoryAbsent: string
  readonly memoryUpdateWithTool: string
  readonly memoryUpdate: string
  readonly memoryNearLimit: string

  readonly taskBootstrap: string
  readonly taskHeartbeat: string
  readonly taskBoot: string

  /** `{date}`, `{weekday}`, `{zone}` */
  readonly clock: string
  /** Sunday first, separated by `,`. */
  readonly weekdays: string

  /** `{tool}`, `{file}` */
  readonly truncatedWithTool: string
  readonly truncated: string
  /** `{head}`, `{tail}`, `{total}` */
  readonly truncatedSizes: string
  /** `{head}`: in place of the sizes where the marker may not say how long the file is. */
  readonly truncatedStepped: string
  /** `{head}`: the same where nothing of the end is kept, and without it where nothing of the beginning is. */
  readonly truncatedSteppedHead: string
  readonly truncatedSteppedTail: string
  /** `{total}`: before an estimated total. */
  readonly approximately: string
  /** Stands also under a heading whose text is left out. */
  readonly truncatedCompact: string

  /** `{names}`; `{tool}` and `{file}` where the key says so. */
  readonly sectionsLeftOutWithTool: string
  readonly sectionsLeftOut: string
  /** `{title}` */
  readonly sectionName: string
  /** Between two names. */
  readonly sectionSeparator: string
  /** `{names}`, `{count}` */
  readonly sectionsMore: string
}
