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
  zone.day = dayOf(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day ?? 1)
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
  return dayOf(day.year, day.month - 1, day.day - count)
}

function dayOf(year: number, month: number, day: number): CalendarDay {
  const date = new Date(0)
  // `Date.UTC` takes the year 50 for 1950.
  date.setUTCFullYear(year, month, day)
  const found = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  const iso = [`${found.year}`.padStart(4, '0'), pad(found.month), pad(found.day)].join('-')
  return Object.freeze({ ...found, weekday: date.getUTCDay(), iso })
}

function pad(number: number): string {
  return `${number}`.padStart(2, '0')
}
