import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '../../errors.js'
import type { LinkRule } from './root.js'

/** What links below the root may do, as a host says it. */
export type Links = 'inside-root' | 'reject' | { readonly roots: readonly (string | URL)[] }

/** @throws PromptError `invalid-options` */
export function linkRule(links: Links): LinkRule {
  if (links === 'inside-root') return { follow: true, into: [] }
  if (links === 'reject') return { follow: false, into: [] }
  const roots: unknown = typeof links === 'object' && links !== null ? links.roots : undefined
  if (!Array.isArray(roots)) {
    throw invalid('links', `"inside-root", "reject" or { roots } with a list of folders`, links)
  }
  return { follow: true, into: roots.map((root, index) => absolute(`links.roots[${index}]`, root)) }
}

/** Relative ones would depend on the working directory, and what they allow on where the process was started. */
function absolute(name: string, root: unknown): string {
  const expected = 'the absolute path of a folder or a file: URL'
  try {
    const path = root instanceof URL ? fileURLToPath(root) : root
    if (typeof path === 'string' && isAbsolute(path) && !path.includes('\0')) return resolve(path)
  } catch (cause) {
    throw invalid(name, expected, root, cause)
  }
  throw invalid(name, expected, root)
}

function invalid(name: string, expected: string, came: unknown, cause?: unknown): PromptError {
  const message = `${name} must be ${expected}, not ${shown(came)}.`
  return new PromptError('invalid-options', message, { ...(cause !== undefined && { cause }) })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof URL) return String(value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object without them' : String(value)
}
