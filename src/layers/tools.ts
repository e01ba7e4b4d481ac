import type { Layer, LayerInput } from '../ports/layer.js'
import type { Texts } from '../ports/texts.js'
import type { Tool } from '../ports/tool.js'
import { fill } from '../texts/index.js'
import { cleanText } from '../workspace/clean.js'
import { fileSections } from './file-sections.js'

/**
 * The tools of the turn, a line each, then TOOLS.md.
 *
 * @param options - `onlyWithReach`: a tool that reads or writes workspace files is listed only where this session
 *   lets it reach one. Default `false`: hosts give such tools other files as well.
 */
export function toolsLayer(options: { readonly onlyWithReach?: boolean } = {}): Layer {
  return {
    id: 'tools',
    stability: 'workspace',
    detail: 'minimal',
    render: (input) => {
      const tools = options.onlyWithReach ? withReach(input) : input.turn.tools
      const headings = [input.texts.headingTools]
      const list =
        tools.length === 0 ? [] : [{ headings, text: listOf(tools, input.texts), stability: 'static' as const }]
      return [...list, ...fileSections(input, headings)]
    },
  }
}

function withReach({ turn, allDocuments, toolFor }: LayerInput): readonly Tool[] {
  const paths = allDocuments.map((document) => document.path)
  return turn.tools.filter((tool) => {
    const role = (['read', 'write', 'edit'] as const).find((name) => turn.toolNames[name] === tool.name)
    return role === undefined || paths.some((path) => toolFor(role, path) !== undefined)
  })
}

// An agent's own tools stay the same array from turn to turn.
const lists = new WeakMap<readonly Tool[], { readonly texts: Texts; readonly list: string }>()

function listOf(tools: readonly Tool[], texts: Texts): string {
  const known = lists.get(tools)
  if (known !== undefined && known.texts === texts) return known.list
  const list = [texts.toolsIntro, ...tools.map((tool) => toolLine(tool, texts))].join('\n')
  lists.set(tools, { texts, list })
  return list
}

function toolLine({ name, description, usageHint }: Tool, texts: Texts): string {
  // Descriptions come from servers too: on one line they can forge no heading.
  const said = [description, usageHint].filter((text) => text !== undefined).join(' ')
  const words = cleanText(said).text.replace(/\s+/g, ' ').trim()
  return words === '' ? `- ${name}` : fill(texts.toolLine, { name, description: words })
}
