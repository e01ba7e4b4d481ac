/** Counts tokens as a model does, or about as many. */
export interface TokenCounter {
  /** For diagnostics and results: `o200k_base`. */
  readonly name: string
  /** `true`: what it says is what the model counts. Default `false`: an estimate, which promises no limit. */
  readonly exact?: boolean | undefined
  /**
   * `true`: for texts that end with a newline, each followed by one that starts with neither white space nor `/`, the
   * counts of the parts add up to that of the whole. A counter that does not say so is asked about the whole as well.
   * Default `false`.
   */
  readonly additive?: boolean | undefined
  /** Whole tokens, 0 or more. Synchronous and pure: the same text has the same count. */
  count(text: string): number
}

/** How many tokens a text has. */
export interface TokenCount {
  readonly tokens: number
  /** `false`: an estimate. */
  readonly exact: boolean
}
