import type { ContextInjector } from './context-injector.js'
import type { DocumentSpec } from './document.js'
import type { FileSystem } from './file-system.js'
import type { IdentityFields } from './identity.js'
import type { CutBoundary, CutStrategy, Layer } from './layer.js'
import type { Diagnostic } from './prompt.js'
import type { Skill } from './skill.js'
import type { Locale, Texts } from './texts.js'
import type { TokenCounter } from './token-counter.js'
import type { Tool, ToolRegistry, ToolRole } from './tool.js'
import type { SessionKind } from './turn.js'

/** What stays the same between turns. */
export interface AgentOptions {
  /** Where the workspace lives. */
  readonly files: FileSystem
  /** The layout to start from; every other option overrides it field by field. Default `presets.default`. */
  readonly preset?: Preset | undefined
  /** The prompt, top to bottom. Default: the preset's. */
  readonly layers?: readonly Layer<unknown>[] | undefined
  /**
   * Adds, drops or reorders files.
   * @example documents: (defaults) => [...defaults, { path: 'STYLE.md', layer: 'user', title: 'House style' }]
   */
  readonly documents?: (defaults: readonly DocumentSpec[]) => readonly DocumentSpec[] | undefined
  /** The safety text. Default: the locale's own. `false` drops it. */
  readonly safety?: string | false | undefined
  /** The host's own instructions, or the workspace file that holds them. That file is never cut: over its cap is an error. */
  readonly base?: string | { readonly path: string } | undefined
  /** Conversation rules, under a heading of their own. */
  readonly rules?: string | undefined
  readonly tools?: ToolRegistry | readonly Tool[] | undefined
  /** The names that stand for the roles. Default: `read`, `write`, `edit`, `skill`. */
  readonly toolNames?: Readonly<Partial<Record<ToolRole, string>>> | undefined
  /** Default `name`: in code-unit order, so that registering in another order keeps the prompt cache. */
  readonly toolOrder?: 'name' | 'registration' | undefined
  /** Skills whose text stands in the prompt, and skills that it only points to. */
  readonly skills?: readonly Skill[] | undefined
  readonly injectors?: readonly ContextInjector[] | undefined
  readonly budget?: Budget | undefined
  /** Wins, field by field, over IDENTITY.md: first `global`, then `agent`. */
  readonly identity?:
    | { readonly global?: IdentityFields | undefined; readonly agent?: IdentityFields | undefined }
    | undefined
  /** Who sees what, row by row over the default table. */
  readonly audience?: PartialAudienceTable | undefined
  /** Whether memory is on where the turn does not say. Default `true`. */
  readonly memory?: boolean | undefined
  /**
   * Daily notes: of the last `days` days (1–14, default 2), of each at most `files` files (4) and `perDay` UTF-16 units
   * (16,000). `false`: none.
   */
  readonly notes?:
    | { readonly days?: number | undefined; readonly files?: number | undefined; readonly perDay?: number | undefined }
    | false
    | undefined
  /**
   * When a file counts as what: USER.md as nearly empty under `nearlyEmpty` significant UTF-16 units (100), MEMORY.md as
   * near its limit over `nearLimit` of its cap (0.8), any file as worth a warning from `nearCap` of it (0.85).
   */
  readonly thresholds?:
    | {
        readonly nearlyEmpty?: number | undefined
        readonly nearLimit?: number | undefined
        readonly nearCap?: number | undefined
      }
    | undefined
  /** The language of every sentence the library itself puts into a prompt. Default `en`. */
  readonly locale?: Locale | undefined
  /** Own wordings in place of the locale's. */
  readonly texts?: Partial<Texts> | undefined
  /** An IANA zone, for today's date and the daily notes. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** `tag` (default): each file in `<file name="…">`, which no content can close. `heading`: content stands bare. */
  readonly delimiter?: Delimiter | undefined
  /** `keep` shows front matter as part of the content. Default `strip`. */
  readonly frontMatter?: 'strip' | 'keep' | undefined
  /** Moves a file's own headings below the heading it stands under. Default `false`. */
  readonly demoteHeadings?: boolean | undefined
  /** In ms. Default: files 2,000, injector 3,000. */
  readonly deadlines?: { readonly files?: number | undefined; readonly injector?: number | undefined } | undefined
  /** `throw`: a layer that throws fails the build with `layer-failed`. Default `report`. */
  readonly onLayerError?: 'report' | 'throw' | undefined
  /** Is told each diagnostic of each build; `console` fits. */
  readonly logger?: Logger | undefined
}

/** A layout: an order of layers with its own limits. */
export type Preset = Pick<AgentOptions, 'layers'> &
  Partial<Omit<AgentOptions, 'files' | 'preset' | 'layers' | 'tools' | 'injectors' | 'logger'>>

export interface Logger {
  info(message: string, diagnostic: Diagnostic): void
  warn(message: string, diagnostic: Diagnostic): void
}

export type Delimiter = 'tag' | 'heading'

/** Sizes are UTF-16 units of content. */
export interface Budget {
  /** The cap of every file, or caps by path over the default. Default 20,000. */
  readonly perFile?: number | Readonly<Record<string, FileBudget>> | undefined
  /** The share of the cap that the beginning of a longer file keeps. Default 0.7. */
  readonly head?: number | undefined
  /** The share of the cap that its end keeps. Default 0.2. `head + tail` is at most 1. */
  readonly tail?: number | undefined
  /** What the sections of one share have together, by its name. */
  readonly shares?: Readonly<Record<string, number>> | undefined
  /**
   * What the whole prompt may have. Where it would have more, sections are shortened to their minimum and then dropped,
   * those of the lowest priority first. Default: no limit.
   * @example total: { tokens: 12_000, counter: await gptTokenCounter() }
   */
  readonly total?: TotalBudget | undefined
  /**
   * The share of the total that is kept for sections of stability `session` and `turn`, so that a longer hint does not
   * reshape what the provider has cached. Default 0.15; 0 lets the files have all.
   */
  readonly reserve?: number | undefined
}

/** In UTF-16 units, or in tokens by a counter; without one by estimate, which promises no exact limit. */
export type TotalBudget = (
  | { readonly chars: number; readonly tokens?: undefined; readonly counter?: undefined }
  | { readonly tokens: number; readonly chars?: undefined; readonly counter?: TokenCounter | undefined }
) & {
  /** `true`: the definitions of the turn's tools, as JSON, count as well, as they ride with the request. Default `false`. */
  readonly tools?: boolean | undefined
}

export type FileBudget =
  | number
  | {
      readonly max?: number | undefined
      /** Above this the file counts as near its limit. Default: 80 % of `max`. */
      readonly soft?: number | undefined
      readonly strategy?: CutStrategy | undefined
      /** `line` moves cuts inward to line ends. Default `exact`. */
      readonly boundary?: CutBoundary | undefined
      /**
       * `true`: cuts move in steps of 5 % of the cap, and the marker does not say how long the file is: what stands before
       * the lines appended to it stays the same, byte by byte, until a step is full. Default `false`.
       */
      readonly stepped?: boolean | undefined
      /** What is left to the file before it is dropped, when others need room. Default 400. */
      readonly minimum?: number | undefined
    }

/** Who sees what, by kind of session and memory switch. */
export type AudienceTable = Readonly<Record<SessionKind, { readonly on: AudienceRow; readonly off: AudienceRow }>>
export type PartialAudienceTable = Readonly<
  Partial<Record<SessionKind, { readonly on?: Partial<AudienceRow>; readonly off?: Partial<AudienceRow> }>>
>

/**
 * Paths: exact ones, `memory/` for all below a folder, `*` for all but the files of one kind of turn (BOOTSTRAP.md,
 * HEARTBEAT.md, BOOT.md), which a row must name.
 */
export interface AudienceRow {
  /** What the prompt may show. */
  readonly shown: readonly string[]
  /** What the model's tools may read; `shown`: all that the prompt shows. */
  readonly read: readonly string[] | 'shown'
  /** What the model's tools may write. */
  readonly write: readonly string[]
  readonly injectors: 'all' | 'public' | 'none'
}

/** Validated options with every default filled in: frozen, and nothing that the host can still change from outside. */
export interface Agent {
  readonly files: FileSystem
  readonly layers: readonly Layer<unknown>[]
  readonly documents: readonly DocumentSpec[]
  readonly safety: string | false
  readonly base: string | { readonly path: string } | undefined
  readonly rules: string | undefined
  readonly tools: ToolRegistry | readonly Tool[]
  readonly toolNames: Readonly<Record<ToolRole, string>>
  readonly toolOrder: 'name' | 'registration'
  readonly skills: readonly Skill[]
  readonly injectors: readonly ContextInjector[]
  readonly budget: {
    readonly perFile: number
    readonly files: Readonly<Record<string, FileBudget>>
    readonly head: number
    readonly tail: number
    readonly shares: Readonly<Record<string, number>>
    readonly total: TotalBudget | undefined
    readonly reserve: number
  }
  readonly identity: { readonly global: IdentityFields; readonly agent: IdentityFields }
  readonly audience: AudienceTable
  readonly memory: boolean
  readonly notes: { readonly days: number; readonly files: number; readonly perDay: number } | false
  readonly thresholds: { readonly nearlyEmpty: number; readonly nearLimit: number; readonly nearCap: number }
  readonly locale: Locale
  readonly texts: Texts
  readonly timeZone: string
  readonly delimiter: Delimiter
  readonly frontMatter: 'strip' | 'keep'
  readonly demoteHeadings: boolean
  readonly deadlines: { readonly files: number; readonly injector: number }
  readonly onLayerError: 'report' | 'throw'
  readonly logger: Logger | undefined
}
