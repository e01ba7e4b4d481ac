import type { Layer } from '../ports/layer.js'
import { fill } from '../texts/index.js'
import { priorities } from '../workspace/priorities.js'

/** Today's date, weekday and zone: day granularity, so that the prompt stays the same all day. */
export const clockLayer: Layer = {
  id: 'clock',
  stability: 'session',
  detail: 'minimal',
  render: ({ turn: { today, timeZone }, texts }) => {
    if (today === undefined) return []
    const weekday = texts.weekdays.split(',')[today.weekday] ?? ''
    const text = fill(texts.clock, { date: today.iso, weekday, zone: timeZone })
    return [{ headings: [texts.headingClock], text, priority: priorities.never }]
  },
}
