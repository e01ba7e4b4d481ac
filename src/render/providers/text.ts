import type { ProviderPrompt } from './blocks.js'

/** The whole prompt as one string, byte for byte `prompt.text`: for whatever takes no blocks. */
export function toText(prompt: Pick<ProviderPrompt, 'text'>): string {
  return prompt.text
}
