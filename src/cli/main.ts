#!/usr/bin/env node
import { run } from './run.js'

// `soulprompt build | head` closes the pipe early; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
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
