/** Whether a file holds one record a line, JSON Lines: what is appended to it starts on a line of its own. */
export function isRecords(path: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(path)
}
