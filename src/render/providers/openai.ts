import { describe, refuse } from '../../validation.js'
import type { CacheMark } from './cache-marks.js'
import type { CacheRules } from './cache-options.js'

export type OpenAITtl = '30m' | '12h'

export type OpenAICacheBreakpoint = { mode: 'explicit'; ttl?: OpenAITtl }

/** `developer` outranks the user's messages; older models and most compatible servers know `system` alone. */
export type OpenAIRole = 'system' | 'developer'

export const openAIRules: CacheRules<OpenAITtl> = { ttls: ['30m', '12h'], minimum: 1_024 }

/** The field of a content part that says that a prefix ends with it. */
export function breakpoint(mark: CacheMark<OpenAITtl> | undefined): {
  prompt_cache_breakpoint?: OpenAICacheBreakpoint
} {
  if (mark === undefined) return {}
  return { prompt_cache_breakpoint: { mode: 'explicit', ...(mark.ttl !== undefined && { ttl: mark.ttl }) } }
}

export function checkRole(where: string, role: unknown): void {
  if (role === 'system' || role === 'developer') return
  refuse(where, [{ path: 'role', message: `expected system or developer, got ${describe(role)}` }])
}
