// npm run test:reliability: the long form. Prints figures, and fails where a promise is broken. `short` is part of the
// tests, and prints them as JSON.
import { competingEditors, externalSaves, killedHolders, killedWriters } from './scenarios.mjs'

const isShort = process.argv[2] === 'short'
const scenarios = [
  ['writers killed under a hot reader', () => killedWriters({ kills: isShort ? 30 : 1_000 })],
  [
    'processes that compete',
    () => competingEditors(isShort ? { processes: 8, edits: 10 } : { processes: 32, edits: 20 }),
  ],
  ['editors killed, many inside the lock', () => killedHolders({ kills: isShort ? 15 : 500 })],
  ['saves of an editor that knows no lock', () => externalSaves({ saves: isShort ? 60 : 400 })],
]
const figuresByName = {}
for (const [name, run] of scenarios) {
  const figures = await run()
  figuresByName[name] = figures
  const broken = ['torn', 'lost', 'failed', 'leftovers'].filter((figure) => (figures[figure] ?? 0) > 0)
  if (broken.length > 0) process.exitCode = 1
  if (isShort) continue
  const shown = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`)
  console.log(`${name.padEnd(40)}${shown.join(', ')}${broken.length > 0 ? `  BROKEN: ${broken.join(', ')}` : ''}`)
}
if (isShort) console.log(JSON.stringify(figuresByName))
