import { blocksOf, type ProviderPrompt } from './blocks.js'

export type GeminiInstruction = { parts: { text: string }[] }

/**
 * A prompt as the `systemInstruction` of Gemini: one part for each stability, which concatenate to `prompt.text`.
 * Gemini finds equal beginnings by itself and takes no marks. An empty prompt gives no parts: leave the field out then.
 *
 * @example
 * ai.models.generateContent({ model, contents, config: { systemInstruction: toGemini(prompt) } })
 */
export function toGemini(prompt: ProviderPrompt): GeminiInstruction {
  return { parts: blocksOf('toGemini', prompt).map(({ text }) => ({ text })) }
}
