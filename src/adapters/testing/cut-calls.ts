import type { FileReading, FileSnapshot } from '../../ports/file-system.js'
import { endsOf, WHOLE_UNITS } from '../../workspace/decode.js'
import type { CutCall } from './faults.js'

/** The first part of a text. No pair is cut: a store of bytes would refuse the half, and then store nothing. */
export function firstPart(text: string, { units = Math.floor(text.length / 2) }: CutCall): string {
  const part = text.slice(0, units)
  return part.length < text.length ? part.replace(/[\ud800-\udbff]$/, '') : part
}

export function firstNames(names: readonly string[], { units = Math.floor(names.length / 2) }: CutCall) {
  return names.slice(0, units)
}

/**
 * A reading whose text broke off. `short` as of a transfer, whose head says what the whole is; `tear` as of a file that
 * was met half written.
 */
export function cutReading(reading: FileReading, fault: CutCall): FileReading {
  if (reading.state !== 'present') return reading
  const text = firstPart(reading.text, fault)
  if (text === reading.text) return reading
  const { gap, approximate, length, ...rest } = reading
  const hasGap = gap !== undefined && gap.at < text.length
  const lost = reading.text.length - text.length
  const torn = { length: hasGap ? length - lost : text.length, version: `${reading.version}:${text.length}` }
  return Object.freeze({
    ...rest,
    text,
    length,
    ...(hasGap && { gap }),
    ...((hasGap || fault.kind === 'short') && approximate && { approximate }),
    ...(fault.kind === 'tear' && torn),
  })
}

/** The answer of a store that takes the text for stored: with a version that no later reading has. */
export function pretended(stored: FileSnapshot, text: string): FileSnapshot {
  const { gap: _, ...rest } = stored
  const ends = text.length > WHOLE_UNITS ? endsOf(text) : undefined
  return Object.freeze({
    ...rest,
    text: ends?.text ?? text,
    ...(ends !== undefined && { gap: Object.freeze({ at: ends.at }) }),
    length: text.length,
    version: `${stored.version}:${text.length}`,
  })
}
