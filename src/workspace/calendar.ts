import type { CalendarDay } from '../ports/turn.js'

const quarterHour = 900_000
const maxZones = 64

/** Making a format costs a hundred times as much as using it. */
interface Zone {
  readonly format: Intl.DateTimeFormat
  block: number
  day: CalendarDay | undefined
}

const zones = new Map<string, Zone>()

/** Whether the runtime knows the zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    zoneAt(timeZone)
    return true
  } catch {
    return false
  }
}

/** The calendar day of a moment in a zone. */
export function calendarDay(now: Date, timeZone: string): CalendarDay {
  const zone = zoneAt(timeZone)
  // Since 1973 every zone is whole quarters of an hour from UTC, so within one no day can begin.
  const block = Math.floor(now.getTime() / quarterHour)
  if (zone.block === block && zone.day !== undefined && now.getTime() > 100_000_000_000) return zone.day
  const parts: Record<string, number> = {}
  for (const { type, value } of zone.format.formatToParts(now)) parts[type] = Number(value)
  zone.day = dayOf(Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day ?? 1))
  zone.block = block
  return zone.day
}

function zoneAt(timeZone: string): Zone {
  const known = zones.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  const zone: Zone = { format, block: Number.NaN, day: undefined }
  if (zones.size >= maxZones) zones.clear()
  zones.set(timeZone, zone)
  return zone
}

/** The day `count` days before another. */
export function daysBefore(day: CalendarDay, count: number): CalendarDay {
  return dayOf(Date.UTC(day.year, day.month - 1, day.day - count))
}

function dayOf(utc: number): CalendarDay {
  const date = new Date(utc)
  return Object.freeze({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    iso: date.toISOString().slice(0, 10),
  })
}
