/**
 * What yields first under a total budget: the lowest. `never` has a cap of its own, if any, and is shown whole.
 *
 *   notes 10 · memory 20 · user, preferences 30 · outline of skills 40 · inline skills 50 · TOOLS.md 60 · task files 70 ·
 *   the host's own 80 · AGENTS.md 90 · IDENTITY.md 100 · SOUL.md 110 · all else never
 */
export const priorities = Object.freeze({
  notes: 10,
  memory: 20,
  user: 30,
  outline: 40,
  skills: 50,
  tools: 60,
  task: 70,
  own: 80,
  contract: 90,
  identity: 100,
  soul: 110,
  never: Number.POSITIVE_INFINITY,
})
