import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('what is promised of writes holds for processes that are killed, compete, and heed no lock', {
  timeout: 180_000,
}, async () => {
  const script = fileURLToPath(new URL('./run.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, 'short'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  await once(child, 'close')
  expect(JSON.parse(output)).toEqual({
    'writers killed under a hot reader': { kills: 30, looks: expect.any(Number), torn: 0, leftovers: 0 },
    'processes that compete': { edits: 80, processes: 8, lost: 0, failed: 0, ms: expect.any(Number), leftovers: 0 },
    'editors killed, many inside the lock': {
      kills: 15,
      lost: 0,
      p50: expect.any(Number),
      p99: expect.any(Number),
      leftovers: 0,
    },
    'saves of an editor that knows no lock': {
      saves: 60,
      ours: expect.any(Number),
      conflicts: expect.any(Number),
      lost: 0,
      leftovers: 0,
    },
  })
})
