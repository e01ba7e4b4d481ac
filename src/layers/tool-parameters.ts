import type { Tool } from '../ports/tool.js'
import { oneLine } from './one-line.js'

/** More parameters than these are not worth their room in a prompt. */
const maxParameters = 24
/** UTF-16 units of one name or type. */
const maxWord = 60

/**
 * A tool's parameters in a few words, `path: string, offset?: integer, mode?: "all" | "new"`, as far as its JSON Schema
 * says them; `''` without any. Schemas come from servers: whatever they hold costs no more than what is shown of it,
 * and never a turn.
 */
export function parametersOf(tool: Tool): string {
  try {
    const schema = schemaOf(tool)
    if (!isObject(schema) || !isObject(schema.properties)) return ''
    const required = Array.isArray(schema.required) ? schema.required : []
    const entries = Object.entries(schema.properties)
    const shown = entries.slice(0, maxParameters).map(([name, property]) => {
      const type = typeOf(property)
      return `${word(name)}${required.includes(name) ? '' : '?'}${type === '' ? '' : `: ${type}`}`
    })
    return [...shown, ...(entries.length > maxParameters ? ['…'] : [])].join(', ')
  } catch {
    return ''
  }
}

/** Its JSON Schema, or the one that its Standard Schema can tell, which many give as `inputSchema`. */
export function schemaOf({ inputSchema, schema }: Tool): unknown {
  if (inputSchema === undefined) return standardSchemaOf(schema)
  return isSchema(inputSchema) && '~standard' in inputSchema ? standardSchemaOf(inputSchema) : inputSchema
}

function standardSchemaOf(schema: unknown): unknown {
  const standard = isSchema(schema) ? schema['~standard'] : undefined
  const jsonSchema = isObject(standard) ? standard.jsonSchema : undefined
  if (!isObject(jsonSchema) || typeof jsonSchema.input !== 'function') return undefined
  return jsonSchema.input({ target: 'draft-2020-12' })
}

/** What is inside of an object, and alternatives of alternatives, are for the tool's own schema to say. */
function typeOf(property: unknown, isAlternative = false): string {
  if (!isObject(property)) return ''
  const { type, enum: values, const: value, items } = property
  if (value !== undefined) return literal(value)
  if (Array.isArray(values)) {
    const shown = values.slice(0, 6).map(literal)
    return [...shown, ...(values.length > 6 ? ['…'] : [])].join(' | ')
  }
  const alternatives = property.anyOf ?? property.oneOf
  if (type === undefined && !isAlternative && Array.isArray(alternatives)) {
    return [...new Set(alternatives.slice(0, 6).map((alternative) => typeOf(alternative, true)))]
      .filter((text) => text !== '')
      .join(' | ')
  }
  if (type === 'array' && isObject(items) && typeof items.type === 'string') return `${word(items.type)}[]`
  return [type]
    .flat()
    .filter((name) => typeof name === 'string')
    .slice(0, 6)
    .map(word)
    .join(' | ')
}

/** Of an object or a list, which may be of any size, only that it is one. */
function literal(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}'
  return word(typeof value === 'string' ? JSON.stringify(value.slice(0, maxWord)) : String(value))
}

function word(text: string): string {
  return oneLine(text.slice(0, maxWord))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Schemas of some libraries are functions. */
function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) || typeof value === 'function'
}
