/** A manner that the agent is in for a while. */
export interface PersonaMode {
  /** `rational` */
  readonly name: string
  /** How it speaks and decides in this mode. */
  readonly style: string
}

/** What is known of how the user wants to be answered, for good. */
export interface Preference {
  /** `reply_length` */
  readonly key: string
  readonly value: string
}
