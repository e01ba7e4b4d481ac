import { cleanText } from '../workspace/clean.js'

/** Other people's words on one line, where they can forge no heading. */
export function oneLine(text: string): string {
  return cleanText(text).text.replace(/\s+/g, ' ').trim()
}
