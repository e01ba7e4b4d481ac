import fc from 'fast-check'

// The same cases on every run, so that a change is judged by what it changes; SEED=random looks for new ones.
const { SEED = '20260216' } = process.env
if (SEED !== 'random') fc.configureGlobal({ seed: Number(SEED) })
