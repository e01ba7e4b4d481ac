#!/usr/bin/env node
import { run } from './run.js'

// Whoever does not want to hear what is said beside the result gets the result all the same.
process.stderr.on('error', () => {})

let failed = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `soulprompt build | head` closes the pipe early; that is no failure.
  if (error.code === 'EPIPE') process.exit(0)
  // What is written after a failure fails as well.
  if (failed) return
  failed = true
  process.stderr.write(`soulprompt: the output could not be written: ${error.message}\n`, () => process.exit(1))
})

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  interrupted: () => {
    const controller = new AbortController()
    // Once each: whoever is tired of waiting ends the process by the second one.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
    return controller.signal
  },
})
