import { once } from '../plain-data.js'
import type { Layer, LayerInput } from '../ports/layer.js'
import type { Texts } from '../ports/texts.js'
import type { Tool } from '../ports/tool.js'
import { fill } from '../texts/index.js'
import { priorities } from '../workspace/priorities.js'
import { fileSections } from './file-sections.js'
import { oneLine } from './one-line.js'
import { parametersOf } from './tool-parameters.js'

export interface ToolsLayerOptions {
  /**
   * A tool that reads or writes workspace files is listed only where this session lets it reach one. Default `false`:
   * hosts give such tools other files as well.
   */
  readonly onlyWithReach?: boolean
  /** The names and types of a tool's parameters below its line, as far as its schema says them. Default `false`. */
  readonly parameters?: boolean
  /** `notes`: lines that only add to what the host says of the tools. Default `list`. */
  readonly style?: 'list' | 'notes'
}

/** The tools of the turn, a line each, then TOOLS.md. */
export function toolsLayer(options: ToolsLayerOptions = {}): Layer {
  // An agent's own tools stay the same array from turn to turn.
  const lists = new WeakMap<readonly Tool[], Map<Texts, string>>()
  return {
    id: 'tools',
    stability: 'workspace',
    detail: 'minimal',
    render: (input) => {
      const { texts } = input
      const tools = options.onlyWithReach ? withReach(input) : input.turn.tools
      const headings = [options.style === 'notes' ? texts.headingToolNotes : texts.headingTools]
      if (tools.length === 0) return fileSections(input, headings)
      const byTexts = once(lists, tools, () => new Map<Texts, string>())
      const text = byTexts.get(texts) ?? listOf(tools, texts, options)
      byTexts.set(texts, text)
      return [{ headings, text, stability: 'static', priority: priorities.never }, ...fileSections(input, headings)]
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

function listOf(tools: readonly Tool[], texts: Texts, options: ToolsLayerOptions): string {
  const isList = options.style !== 'notes'
  const lines = tools.flatMap((tool) => {
    const parameters = options.parameters ? parametersOf(tool) : ''
    const line = isList ? toolLine(tool, '- {name}', texts.toolLine) : toolLine(tool, '- **{name}**', texts.toolNote)
    return parameters === '' ? [line] : [line, `  ${fill(texts.toolParameters, { parameters })}`]
  })
  return (isList ? [texts.toolsIntro, ...lines] : lines).join('\n')
}

function toolLine({ name, description, usageHint }: Tool, nameAlone: string, line: string): string {
  // Descriptions come from servers too.
  const words = joinWords(oneLine(description ?? ''), oneLine(usageHint ?? ''))
  return words === '' ? fill(nameAlone, { name }) : fill(line, { name, description: words })
}

/** Two sentences; those of scripts without spaces stand right next to one another. */
function joinWords(description: string, usageHint: string): string {
  if (description === '' || usageHint === '') return description + usageHint
  if (/[。！？；…]$/.test(description)) return description + usageHint
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(description))
    return `${description}。${usageHint}`
  return `${description}${/[.!?;:,)]$/.test(description) ? '' : '.'} ${usageHint}`
}
