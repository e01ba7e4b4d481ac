import type { Agent } from './agent.js'
import type { Document, DocumentSpec, DocumentState } from './document.js'
import type { FileSystem } from './file-system.js'
import type { Texts } from './texts.js'
import type { Detail, ResolvedTurn } from './turn.js'

/** How often a section changes: `static` < `workspace` < `session` < `turn`. */
export type Stability = 'static' | 'workspace' | 'session' | 'turn'

/**
 * A named producer of sections. A prompt is an ordered list of layers, plain data.
 *
 * @example
 * const mood: Layer = {
 *   id: 'mood',
 *   stability: 'session',
 *   render: ({ turn }) => (turn.session.kind === 'main' ? [{ headings: ['# Mood'], text: 'Cheerful today.' }] : []),
 * }
 */
export interface Layer<Data = undefined> {
  readonly id: string
  readonly stability: Stability
  /** The least detail at which the layer still speaks. Default `full`. */
  readonly detail?: Detail
  /** `true`: it shows the files that it asks for alone, and none that the manifest gives it. Default `false`. */
  readonly exclusive?: boolean
  /** Pure: files it needs beside those that the manifest gives to this layer. */
  documents?(turn: ResolvedTurn, workspace: WorkspaceListing): readonly DocumentSpec[]
  /** Own data, loaded beside the files. A throw or a missed deadline is a diagnostic, and `render` gets no data. */
  load?(turn: ResolvedTurn, io: { readonly files: FileSystem; readonly signal: AbortSignal }): Promise<Data>
  /** Pure and synchronous: the same input gives the same drafts. */
  render(input: LayerInput<Data>): readonly SectionDraft[]
}

export interface WorkspaceListing {
  readonly agent: Agent
  /** The names in `memory/`; `undefined` when the file system cannot list. */
  readonly notes: readonly string[] | undefined
}

export interface LayerInput<Data = undefined> {
  readonly agent: Agent
  readonly turn: ResolvedTurn
  readonly texts: Texts
  /** The layer's own files that this turn may show, in order, hidden ones left out; a file with two names is given once. */
  readonly documents: readonly LayerDocument[]
  /** Any file of this turn by its path, whichever layer shows it. `undefined`: not shown in this turn. */
  document(path: string): LayerDocument | undefined
  /** All files of this turn but hidden ones. */
  readonly allDocuments: readonly LayerDocument[]
  /** The tool of that role, when there is one in the turn that may reach this file in this session. */
  toolFor(role: 'read' | 'write' | 'edit', path: string): string | undefined
  /** The names in `memory/`; `undefined` when they are unknown. */
  readonly notes: readonly string[] | undefined
  /** What `load` returned. */
  readonly data: Data | undefined
}

/** A file as one layer of one agent sees it. */
export interface LayerDocument {
  readonly spec: DocumentSpec
  /** The name it really has: the spec's path or its fallback. */
  readonly path: string
  readonly state: DocumentState
  /** What is shown of it, before any cut. For a file read by its two ends, those ends. */
  readonly content: string
  /** UTF-16 units of the content; for a file read by its ends, of the file. */
  readonly total: number
  readonly limit: FileLimit
  readonly document: Document
}

/** A file's budget with every default filled in. Sizes are UTF-16 units of content. */
export interface FileLimit {
  readonly max: number
  /** Above this the file is near its limit. */
  readonly soft: number
  readonly head: number
  readonly tail: number
  readonly strategy: CutStrategy
  readonly boundary: CutBoundary
  readonly stepped: boolean
  /** What is left to the file, as far as it has that much, when others need room. */
  readonly minimum: number
}

/**
 * `head-tail` keeps both ends, `newest` only the last. `sections` keeps whole Markdown sections and names those left
 * out: first the headings, then as many of the texts below them as fit, in order. A section longer than the room is never
 * shown in part. Where no section fits, there is no heading or the file was read by its two ends alone, it is
 * `head-tail` at line ends.
 */
export type CutStrategy = 'head-tail' | 'newest' | 'sections'

/**
 * Where a cut may fall: `exact` between any two characters that a reader sees as two, `line` only at line ends. A line
 * that takes more than half of the room of its end is cut inside all the same.
 */
export type CutBoundary = 'exact' | 'line'

/** What a layer hands on: one file with its guidance, or one text. */
export interface SectionDraft {
  /** Default: the layer's id, and for a file `layer/path`. */
  readonly id?: string | undefined
  /**
   * Markdown headings from the outermost in, `['# Memory', '### 2026-02-16']`. Those that the section before it
   * already stands under are not repeated.
   */
  readonly headings?: readonly string[] | undefined
  /** The file that the section shows. */
  readonly file?: LayerDocument | undefined
  /** The text of a section that is no file; with `file`, what is shown in place of its content. */
  readonly text?: string | undefined
  /** Shown in place of a file that is empty. Left out: an empty file shows nothing. */
  readonly placeholder?: string | undefined
  /** The sentence after the content that tells the model what to do with it. Shown for a missing file as well. */
  readonly guidance?: string | undefined
  /** Default: the layer's. */
  readonly stability?: Stability | undefined
  /** `true`: a rule, `---`, stands above it, right above its heading, where the section before it is another layer's. */
  readonly rule?: boolean | undefined
  /** Sections of one share divide what `budget.shares` gives it. Default: that of the file's spec. */
  readonly share?: string | undefined
  /** Within a share, those of lower share priority are shortened first. Default 0. */
  readonly sharePriority?: number | undefined
  /**
   * Under a total budget, what is lower is shortened first, then dropped; `Infinity`: never. Default: that of the file's
   * spec; of a text, 80; of what stands `bare`, `Infinity`.
   */
  readonly priority?: number | undefined
  /** `bare`: without the file's tag, for a file that speaks with the host's own voice. Default `file`. */
  readonly frame?: 'file' | 'bare' | undefined
  /** What the host may want to know of how it came about: each is an `info` of the code `layer-note`. */
  readonly notes?: readonly string[] | undefined
  /** The order of precedence that this section states to the model. */
  readonly precedence?: readonly string[] | undefined
}
