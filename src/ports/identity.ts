/** Who the agent is, as far as it is known. */
export interface IdentityFields {
  readonly name?: string
  readonly role?: string
  readonly goals?: string
  readonly voice?: string
  readonly emoji?: string
  /** A path, an address, an emoji or prose: whatever the file says. */
  readonly avatar?: string
}

/** Only the name has a default. */
export interface Identity extends IdentityFields {
  /** At most 50 UTF-16 units. `Assistant` when nobody gave one. */
  readonly name: string
}
