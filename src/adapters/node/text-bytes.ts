import { PromptError } from '../../errors.js'

/**
 * Checks a text that is to be stored as UTF-8 and read back as the same text.
 *
 * @throws PromptError `invalid-options`: no string, half of a surrogate pair (which UTF-8 cannot hold), or NUL (with
 * which it would be read as binary)
 */
export function checkText(path: string, text: string): string {
  const refuse = (why: string) => new PromptError('invalid-options', `The text of ${path} ${why}.`, { data: { path } })
  if (typeof text !== 'string') throw refuse(`must be a string, not ${typeof text}`)
  const nul = text.indexOf('\0')
  if (nul >= 0) throw refuse(`holds NUL at ${nul}, with which it would no longer be read as text`)
  if (text.isWellFormed()) return text
  const half = text.search(/\p{Surrogate}/u)
  throw refuse(`holds half of a surrogate pair at ${half}, which no file can keep`)
}
