import type { FileBudget } from './agent.js'
import type { UnreadableReason } from './file-system.js'
import type { Detail, SessionKind } from './turn.js'

/** One file that a prompt may show: a row of the manifest. */
export interface DocumentSpec {
  /** The exact path: files are never searched for. */
  readonly path: string
  /** The id of the layer that shows it. */
  readonly layer: string
  /** A heading of its own, one level below the layer's. Default: none. */
  readonly title?: string | undefined
  /** Place within the layer, lowest first; equal ones keep the order of the list. Default 0. */
  readonly order?: number | undefined
  /** Who sees it. Default: what the audience table says of its path; a path the table does not name is private. */
  readonly audience?: DocumentAudience | undefined
  /** Default: the agent's `budget.perFile`. */
  readonly budget?: FileBudget | undefined
  /** Another exact path, asked for in the same call and used only when `path` is missing. */
  readonly fallback?: string | undefined
  /** The least detail at which it is shown. Default `full`. */
  readonly detail?: Detail | undefined
  /** Files with one `share` divide fairly what `budget.shares` gives it, or else the first one's cap. */
  readonly share?: string | undefined
  /**
   * Under a total budget, what is lower is shortened first, then dropped; `Infinity`: never. Default 80, between the task
   * files (70) and AGENTS.md (90).
   */
  readonly priority?: number | undefined
  /** `true`: read for its layer's own use, which finds it by its path; never shown nor listed. Default `false`. */
  readonly hidden?: boolean | undefined
  /** `true`: no prompt is built without it. Missing or unreadable is `layer-failed`, empty a warning. Default `false`. */
  readonly required?: boolean | undefined
  /** `true`: not listed in `sources` when missing, and no word is said when its layer has no use for it. Default `false`. */
  readonly optional?: boolean | undefined
}

export interface DocumentAudience {
  /** Default: every kind. */
  readonly kinds?: readonly SessionKind[] | undefined
  /** Default `true`: shown only while memory is on. */
  readonly private?: boolean | undefined
}

/** What loading found at one path. */
export type DocumentState = 'present' | 'empty' | 'missing' | 'unreadable'

/** A file after loading: decoded, cleaned, front matter taken off. Plain data. */
export interface Document {
  readonly path: string
  readonly state: DocumentState
  /** The cleaned text with its front matter. `text.slice(body)` is the content. `''` unless present or empty. */
  readonly text: string
  /** Where in `text` the content starts: behind the front matter, or 0. */
  readonly body: number
  /** For a file read by its two ends: where in `text` they meet. */
  readonly gap?: number
  /** UTF-16 units of the cleaned text; for a file read by its ends, those of the whole file. */
  readonly length: number
  readonly approximate?: true
  /** The front matter, when it is a plain YAML mapping. Strings from a file: never an instruction to a program. */
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly version?: string
  readonly id?: string
  readonly stale?: true
  readonly reason?: UnreadableReason
  /** What loading noticed about this file. */
  readonly notes: readonly DocumentNote[]
}

export interface DocumentNote {
  readonly code: 'unreadable' | 'lossy' | 'stale' | 'sanitized' | 'front-matter-invalid' | 'front-matter-kept'
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}
