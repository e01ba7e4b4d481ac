/** Who the agent is, as far as it is known. */
export interface IdentityFields {
  readonly name?: string | undefined
  readonly role?: string | undefined
  readonly goals?: string | undefined
  readonly voice?: string | undefined
  readonly emoji?: string | undefined
  /** A path, an address, an emoji or prose: whatever the file says. */
  readonly avatar?: string | undefined
}

/** Only the name has a default. */
export interface Identity extends IdentityFields {
  /** At most 50 UTF-16 units. `Assistant` when nobody gave one. */
  readonly name: string
}
