// What importing the core costs in a fresh process, and what it drags in.
import { execFileSync } from 'node:child_process'

const script = (ids) => `
  const start = process.hrtime.bigint()
  ${ids.map((id) => `await import('${id}')`).join('\n')}
  console.log(Number(process.hrtime.bigint() - start) / 1e6)
`
for (const ids of [['zod'], ['soulprompt'], ['soulprompt', 'soulprompt/node']]) {
  const times = Array.from({ length: 9 }, () =>
    Number(
      execFileSync('node', ['--input-type=module', '-e', script(ids)], { encoding: 'utf8', cwd: import.meta.dirname }),
    ),
  ).sort((a, b) => a - b)
  console.log(`import ${ids.join(' + ').padEnd(38)} ${times[4].toFixed(1).padStart(9)} ms`)
}
