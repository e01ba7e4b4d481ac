// The same files through @vscode/prompt-tsx: one prioritised chunk a file, or one a paragraph. What JSX compiles to,
// `vscpp(element, props, ...children)`, is called by hand.
import tsx from '@vscode/prompt-tsx'

const { OutputMode, PromptElement, PromptRenderer, SystemMessage, TextChunk } = tsx
const { vscpp } = globalThis

/** What stays longest, first. */
const order = ['tools', 'AGENTS.md', 'SOUL.md', 'USER.md', 'IDENTITY.md', 'TOOLS.md', 'MEMORY.md']
const fileStep = 100_000

/** A file that does not fit is left out as a whole. */
export function byFile(texts) {
  return order.map((name, place) => ({ text: `${texts[name]}\n`, priority: (order.length - place) * fileStep }))
}

/** Within a file the earlier paragraph stays longer. */
export function byParagraph(texts) {
  return order.flatMap((name, place) =>
    texts[name]
      .trimEnd()
      .split('\n\n')
      .map((text, index) => ({ text: `${text}\n\n`, priority: (order.length - place) * fileStep - index })),
  )
}

class Files extends PromptElement {
  render() {
    const chunks = this.props.chunks.map(({ text, priority }) => vscpp(TextChunk, { priority }, text))
    return vscpp(SystemMessage, {}, ...chunks)
  }
}

/** The text of the one message. */
export async function renderChunks(chunks, tokens, count) {
  const tokenizer = {
    mode: OutputMode.Raw,
    tokenLength: (part) => count(part.text ?? ''),
    countMessageTokens: ({ content }) => content.reduce((sum, part) => sum + count(part.text ?? ''), 0),
  }
  const renderer = new PromptRenderer({ modelMaxPromptTokens: tokens }, Files, { chunks }, tokenizer)
  const { messages } = await renderer.render()
  return messages.flatMap(({ content }) => content.map(({ text = '' }) => text)).join('')
}
