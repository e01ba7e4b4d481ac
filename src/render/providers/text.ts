import { checkPrompt, type ProviderPrompt } from './blocks.js'

/** The whole prompt as one string, byte for byte `prompt.text`: for whatever takes no blocks. Throws `invalid-options` for what is no prompt. */
export function toText(prompt: Pick<ProviderPrompt, 'text'>): string {
  checkPrompt('toText', prompt, ['text'])
  return prompt.text
}
