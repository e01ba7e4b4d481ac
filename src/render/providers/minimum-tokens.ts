/**
 * The least tokens that a prefix must have to be cached, by model, as Anthropic publishes them. A name stands for all
 * models whose own name holds it (`claude-opus-5` for `claude-opus-5-1` and `us.anthropic.claude-opus-5-v1:0`); the
 * longest that fits wins; a dot counts as a hyphen.
 */
export const minimumCacheTokens: Readonly<Record<string, number>> = Object.freeze({
  'claude-opus-5': 512,
  'claude-fable-5': 512,
  'claude-mythos-5': 512,
  'claude-opus-4': 1_024,
  'claude-opus-4-5': 4_096,
  'claude-opus-4-6': 4_096,
  'claude-opus-4-7': 2_048,
  'claude-sonnet': 1_024,
  'claude-3-opus': 1_024,
  'claude-3-5-sonnet': 1_024,
  'claude-3-7-sonnet': 1_024,
  'claude-haiku-4-5': 4_096,
  'claude-3-haiku': 2_048,
  'claude-3-5-haiku': 2_048,
})

/** The least tokens for a model: from the overrides, else from the table, else the fallback. */
export function minimumTokensFor(
  model: string | undefined,
  overrides: number | Readonly<Record<string, number>> | undefined,
  fallback: number,
): number {
  if (typeof overrides === 'number') return overrides
  if (model === undefined) return fallback
  return lookUp(model, overrides ?? {}) ?? lookUp(model, minimumCacheTokens) ?? fallback
}

function lookUp(model: string, table: Readonly<Record<string, number>>): number | undefined {
  const fitting = Object.entries(table).filter(([name]) => names(model, name))
  return fitting.toSorted(([one], [other]) => other.length - one.length)[0]?.[1]
}

/** `claude-opus-4-5` is no name of `claude-opus-4-50`. */
function names(model: string, name: string): boolean {
  return name !== '' && `-${plain(model)}-`.includes(`-${plain(name)}-`)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '-')
}
