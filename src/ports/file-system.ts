/**
 * Where workspace files live. Only `read` is required; everything else is a capability that may be absent.
 *
 * Paths are relative to the workspace, with `/` between parts: `SOUL.md`, `memory/2026-02-16.md`.
 */
export interface FileSystem {
  /** For messages and diagnostics, such as `node:./workspace`. */
  readonly name: string
  /**
   * The newest state of each path, in the order of `paths`. A file that is not there, or cannot be read, is a state
   * and not an exception. A build makes at most one `read` and one `list` a turn.
   */
  read(paths: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<readonly FileReading[]>
  /**
   * The names in one directory, one level deep, in any order; `[]` when the directory is missing.
   * Absent: only exact names are looked for, so notes with a slug are not found.
   */
  list?(directory: string, options?: { readonly signal?: AbortSignal }): Promise<readonly string[]>
  /**
   * Compare-and-set. `ifVersion`: the version the new text is based on; `null`: the file must not exist; left out:
   * write whatever is there. Throws `PromptError` `conflict` with `data: { path, expected, current }`.
   */
  write?(path: string, text: string, options?: { readonly ifVersion?: string | null }): Promise<FileSnapshot>
  /**
   * Adds to the end of a file, creating it when missing. In a `.jsonl` or `.ndjson` file what is added starts on a line of
   * its own.
   */
  append?(path: string, text: string): Promise<void>
  /** Removes a file; a missing one is no error unless `ifVersion` is given. */
  remove?(path: string, options?: { readonly ifVersion?: string }): Promise<void>
  /** Calls the listener with paths that may have changed: hints, never proof of the contrary. Returns the way to stop. */
  watch?(listener: (paths: readonly string[]) => void): () => void
  close?(): Promise<void>
}

export type FileReading = FileSnapshot | MissingFile | UnreadableFile

export interface MissingFile {
  readonly state: 'missing'
  readonly path: string
}

export interface UnreadableFile {
  readonly state: 'unreadable'
  readonly path: string
  readonly reason: UnreadableReason
  /** A sentence for a person, in English, without the path. */
  readonly detail?: string
  readonly cause?: unknown
}

/**
 * - `not-a-file`: a directory, FIFO, socket or device
 * - `outside-root`: the path or a link leads out of the workspace
 * - `permission`: the system refused
 * - `binary`: it holds NUL and no UTF-16 byte order mark
 * - `too-slow`: the deadline passed
 * - `io`: anything else the store reported
 */
export type UnreadableReason = 'not-a-file' | 'outside-root' | 'permission' | 'binary' | 'too-slow' | 'io'

export interface FileSnapshot {
  readonly state: 'present'
  readonly path: string
  /** Raw text, a byte order mark included. A file over 1 Mi UTF-16 units comes as its two ends of 256 Ki units each. */
  readonly text: string
  /** Where in `text` the two ends meet. */
  readonly gap?: { readonly at: number }
  /** UTF-16 units of the whole file: exact up to 64 MiB, estimated from the byte size beyond. */
  readonly length: number
  readonly approximate?: true
  /** Equal if and only if the content is equal: what is derived from a file is cached by it. */
  readonly version: string
  /** The same id is the same file under another name (a link, a case-insensitive disk). */
  readonly id?: string
  readonly modifiedAt?: Date
  /** Bytes that are no valid text were replaced in decoding. A lossy or gapped text is never written back. */
  readonly lossy?: true
  /** The last good text, because the store failed this time. */
  readonly stale?: true
  /** Of a stale text: why, as a sentence for a person, in English, without the path. */
  readonly staleReason?: string
}
