import type matter from 'gray-matter'

/** In UTF-16 units; a longer head is no front matter but text. */
const maxBlock = 16_384
const maxNodes = 10_000
const maxDepth = 32

type FrontMatter =
  | { readonly metadata: Readonly<Record<string, unknown>> }
  | { readonly invalid: string }
  /** The block is no mapping: two rules with prose between them. */
  | 'not-front-matter'

export type FrontMatterParser = (block: string) => FrontMatter

/** Where the front matter of a cleaned text lies: line 1 is `---`, and so is a later line. */
export function findFrontMatter(text: string): { readonly block: string; readonly end: number } | undefined {
  const open = /^---[ \t]*\n/.exec(text)
  if (open === null) return undefined
  const start = open[0].length
  for (let at = start; at < text.length && at - start <= maxBlock; ) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    if (text.startsWith('---', at) && text.slice(at + 3, end).trim() === '') {
      return { block: text.slice(start, at), end: Math.min(end + 1, text.length) }
    }
    at = end + 1
  }
  return undefined
}

let parser: Promise<FrontMatterParser> | undefined

/** Loads gray-matter the first time that a file with front matter turns up. */
export function frontMatterParser(): Promise<FrontMatterParser> {
  parser ??= import('gray-matter').then((module) => (block) => parseBlock(module.default, block))
  return parser
}

const refuse = {
  parse: () => {
    throw new Error('front matter is YAML, nothing else')
  },
}
// Always handed over: a call without options caches every text for ever and would let `---js` run.
const options = { language: 'yaml', delimiters: '---', engines: { javascript: refuse, json: refuse } }

function parseBlock(parse: typeof matter, block: string): FrontMatter {
  try {
    // A run of blank lines costs gray-matter the square of its length.
    const { data } = parse(`---\n${block.replace(/\n(?:[ \t]*\n){2,}/g, '\n\n')}\n---\n`, { ...options }) as {
      data: unknown
    }
    if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype) {
      return 'not-front-matter'
    }
    return { metadata: plainCopy(data, { nodes: 0 }, 0) as Record<string, unknown> }
  } catch (error) {
    return { invalid: reasonOf(error) }
  }
}

/** js-yaml's message carries a piece of the file; its reason and line are enough. */
function reasonOf(error: unknown): string {
  const { reason, mark, message } = error as { reason?: string; mark?: { line?: number }; message?: string }
  if (reason === undefined) return String(message ?? error)
  // Line 1 of the file is the fence.
  return mark?.line === undefined ? reason : `${reason} (line ${mark.line + 1})`
}

/** A frozen copy of plain data. Shared and circular references, which aliases make, cost a bounded number of nodes. */
function plainCopy(value: unknown, count: { nodes: number }, depth: number): unknown {
  count.nodes += 1
  if (count.nodes > maxNodes || depth > maxDepth) throw new Error('more than front matter may hold')
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => plainCopy(item, count, depth + 1)))
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('a value that is no plain data')
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw new Error('a key named __proto__')
    copy[key] = plainCopy(item, count, depth + 1)
  }
  return Object.freeze(copy)
}
