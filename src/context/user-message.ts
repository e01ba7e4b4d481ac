import type { ContextBlock, SystemPrompt } from '../ports/prompt.js'

/** The blocks of the known tags come in this order, those of a host's own after them. */
const tagOrder = ['memory', 'diary', 'user']

/**
 * The user's text with this turn's context blocks before it. Without context it is the user's text, unchanged.
 *
 * A block is always closed, and nothing inside it can close it or open another: a bracket that would is shown as
 * `&#91;`.
 *
 * @example
 * renderUserMessage(prompt, 'What did we plan?')
 * // [memory context]
 * // We meet on Friday.
 * // [/memory context]
 * //
 * // What did we plan?
 */
export function renderUserMessage(prompt: Pick<SystemPrompt, 'context'>, input: string): string {
  if (prompt.context.length === 0) return input
  const tags = [...new Set(prompt.context.map((block) => block.tag))].sort((a, b) => rank(a) - rank(b))
  const blocks = tags.map((tag) => {
    const texts = prompt.context.filter((block) => block.tag === tag).map((block) => blockText(block, tags))
    return `[${tag} context]\n${texts.join('\n\n')}\n[/${tag} context]`
  })
  return [...blocks, input].join('\n\n')
}

function rank(tag: string): number {
  const index = tagOrder.indexOf(tag)
  return index === -1 ? tagOrder.length : index
}

function blockText({ text, source }: ContextBlock, tags: readonly string[]): string {
  const body = escapeTags(text, tags)
  return source === undefined || source === '' ? body : `(source: ${escapeTags(oneLine(source), tags)})\n${body}`
}

/**
 * Anything a reader could take for the mark of a block: over several lines, and with brackets and letters in their
 * full-width forms. No bracket stands inside a mark, so the text is read once.
 */
function escapeTags(text: string, tags: readonly string[]): string {
  return text.replace(/[[［]([^[\]［］]+)[\]］]/g, (mark, inner: string) => {
    const name = inner
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}/]/gu, '')
      .toLowerCase()
    const forged = [...tagOrder, ...tags].some((tag) => {
      const own = `${tag.normalize('NFKC').replace(/[^\p{L}\p{N}/]/gu, '')}context`.toLowerCase()
      return name === own || name === `/${own}`
    })
    return forged ? `&#91;${mark.slice(1)}` : mark
  })
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
