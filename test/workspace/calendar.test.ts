import { describe, expect, it } from 'vitest'
import { calendarDay, daysBefore, isTimeZone } from '../../src/workspace/calendar.js'

describe('calendarDay', () => {
  it.each([
    ['2026-02-16T09:30:00Z', 'UTC', '2026-02-16', 1],
    ['2026-02-16T16:30:00Z', 'Asia/Shanghai', '2026-02-17', 2],
    ['2026-02-16T03:59:59Z', 'America/New_York', '2026-02-15', 0],
    ['2026-02-16T18:29:59Z', 'Asia/Kolkata', '2026-02-16', 1],
    ['2026-02-16T18:30:00Z', 'Asia/Kolkata', '2026-02-17', 2],
    ['2026-02-16T18:14:59Z', 'Asia/Kathmandu', '2026-02-16', 1],
    ['2026-02-16T18:15:00Z', 'Asia/Kathmandu', '2026-02-17', 2],
    ['2026-03-08T07:00:00Z', 'America/New_York', '2026-03-08', 0],
    ['2024-02-29T12:00:00Z', 'UTC', '2024-02-29', 4],
    ['2021-12-31T11:00:00Z', 'Pacific/Kiritimati', '2022-01-01', 6],
  ])('%s in %s is %s', (moment, zone, iso, weekday) => {
    expect(calendarDay(new Date(moment), zone)).toMatchObject({ iso, weekday })
  })

  it('changes at midnight of the zone and not before, asked every minute of two days', () => {
    const plain = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kathmandu' })
    for (let minute = 0; minute < 2 * 1_440; minute += 1) {
      const now = new Date(Date.UTC(2026, 1, 16) + minute * 60_000)
      expect(calendarDay(now, 'Asia/Kathmandu').iso).toBe(plain.format(now))
    }
  })

  it('counts back over month and leap day', () => {
    const day = calendarDay(new Date('2024-03-01T00:00:00Z'), 'UTC')
    expect(daysBefore(day, 1).iso).toBe('2024-02-29')
    expect(daysBefore(day, 61).iso).toBe('2023-12-31')
    expect(daysBefore(day, 1).weekday).toBe(4)
  })

  it('knows zones from other words', () => {
    expect(isTimeZone('Asia/Shanghai')).toBe(true)
    expect(isTimeZone('Mars/Olympus')).toBe(false)
    expect(isTimeZone('')).toBe(false)
  })
})
