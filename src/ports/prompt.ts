import type { Document } from './document.js'
import type { Stability } from './layer.js'
import type { SessionKind } from './turn.js'

/** The files and data of one turn, before anything is decided about them. Plain data. */
export interface WorkspaceSnapshot {
  readonly documents: readonly Document[]
  /** The names in `memory/`; `undefined` when the file system cannot list. */
  readonly notes: readonly string[] | undefined
  /** For whom it was loaded. Layers' data is given to sessions of the same kind and memory alone. */
  readonly session?: { readonly kind: SessionKind; readonly memory: boolean }
  /** What the layers loaded for themselves, by layer id. */
  readonly data: Readonly<Record<string, unknown>>
  readonly context: readonly ContextBlock[]
  /** What went wrong on the way. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The finished prompt and the account of how it came about. Frozen plain data: it survives `structuredClone`. */
export interface SystemPrompt {
  /** The system prompt: exactly the sections' texts, joined by nothing. */
  readonly text: string
  readonly sections: readonly Section[]
  /** What rides with this turn's user message. See {@link renderUserMessage}. */
  readonly context: readonly ContextBlock[]
  /** One entry a file: what became of it. */
  readonly sources: readonly Source[]
  readonly diagnostics: readonly Diagnostic[]
  /** Whether memory was on in this turn, for the host to keep with the conversation. */
  readonly memory: boolean
  /** The order of precedence as stated to the model; empty where none is stated. */
  readonly precedence: readonly string[]
  /** UTF-16 units of `text`. */
  readonly chars: number
  /** How the total budget was used, where there is one. */
  readonly budget?: BudgetUse
  /** A fast non-cryptographic hash over the fingerprints of the sections. */
  readonly fingerprint: string
}

/** What the prompt has of its total. */
export interface BudgetUse {
  readonly unit: 'chars' | 'tokens'
  readonly limit: number
  /** With the definitions of tools, where these count. */
  readonly used: number
  /** Of the limit, what is kept for sections of stability `session` and `turn` as soon as not everything fits. */
  readonly reserve: number
  /** `false`: by estimate, so the model may count more than the limit. */
  readonly exact: boolean
  /** The name of the token counter. */
  readonly counter?: string
}

/** One file with its guidance, or one generated text. */
export interface Section {
  /** `persona/SOUL.md`, `tools` */
  readonly id: string
  readonly layer: string
  /** Ends with `\n\n`; starts with neither white space nor `/`, so that token counts of sections add up. */
  readonly text: string
  readonly chars: number
  readonly stability: Stability
  /** What is lower is shortened first under a total budget. `null`: it never yields. */
  readonly priority: number | null
  /** The path of the file, if it is one. */
  readonly source?: string
  /** A fast non-cryptographic hash of `text`: it tells versions apart, it proves nothing. */
  readonly fingerprint: string
}

/**
 * - `included`: shown whole
 * - `truncated`: shown in part
 * - `empty`: blank, or front matter alone
 * - `missing`: not there
 * - `unreadable`: there, and could not be read
 * - `filtered`: this session may not see it, so it was not touched; or a note says itself that it is not for it
 * - `dropped`: left out for want of room, or because it was shown under another name already
 */
export type SourceState = 'included' | 'truncated' | 'empty' | 'missing' | 'unreadable' | 'filtered' | 'dropped'

export interface Source {
  readonly path: string
  readonly layer: string
  readonly state: SourceState
  /** UTF-16 units of the content before any cut; where a layer shows it in several sections, of all of them. */
  readonly rawChars: number
  /** `rawChars` is an estimate, of a file too large to be counted. */
  readonly approximate?: true
  /** UTF-16 units that are shown: more than `rawChars` where a layer shows a longer text in the place of the content. */
  readonly keptChars: number
  /** For a truncated file: what was kept of its two ends. */
  readonly kept?: { readonly head: number; readonly tail: number }
  readonly version?: string
  readonly stale?: true
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface ContextBlock {
  readonly name: string
  readonly tag: string
  readonly text: string
  /** Where the injector said the text came from. */
  readonly source?: string
  readonly private: boolean
}

/** Something recoverable that the host may want to know. No diagnostic changes the prompt. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: 'info' | 'warning'
  /** English, one sentence: the thing, what was expected, what came. */
  readonly message: string
  readonly path?: string
  /** The id of the section, layer or injector concerned. */
  readonly section?: string
  readonly data?: Readonly<Record<string, unknown>>
}

export type DiagnosticCode =
  | 'file-unreadable'
  | 'file-truncated'
  | 'file-near-cap'
  | 'file-stale'
  | 'file-lossy'
  | 'file-duplicate'
  | 'file-conflict'
  | 'file-unused'
  | 'section-truncated'
  | 'section-dropped'
  | 'total-near'
  | 'counter-failed'
  | 'files-failed'
  | 'list-failed'
  | 'workspace-empty'
  | 'notes-omitted'
  | 'front-matter-invalid'
  | 'front-matter-kept'
  | 'text-sanitized'
  | 'heading-collision'
  | 'layer-failed'
  | 'layer-note'
  | 'file-empty'
  | 'load-failed'
  | 'injector-failed'
  | 'tools-failed'
  | 'tool-duplicate'
