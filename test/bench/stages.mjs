// The stages of a run one by one. They are no part of the public face, so they are built for this alone, in a folder
// from which the library's own dependencies are found.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = fileURLToPath(new URL('../../node_modules/.cache/soulprompt-bench', import.meta.url))
const files = {
  compose: 'layers/compose',
  fit: 'budget/fit',
  write: 'render/write-sections',
  render: 'render/render',
  agent: 'options/define-agent',
  turn: 'options/turn',
  snapshot: 'workspace/snapshot-of',
  memory: 'workspace/memory-file-system',
}

/** Gives a function that runs a first turn and tells what each stage took, in ms. */
export async function stages() {
  const entry = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, `src/${path}.ts`]))
  await build({
    entry,
    outDir: folder,
    format: 'esm',
    target: 'node20',
    config: false,
    silent: true,
    dts: false,
    cwd: root,
  })
  const rooms = Object.keys(files).map((name) => import(`${folder}/${name}.js`))
  const [composing, fitting, writing, rendering, options, turns, snapshots, memory] = await Promise.all(rooms)
  rmSync(folder, { recursive: true })

  return ({ texts, tools, turn, budget }) => {
    const agent = options.defineAgent({ files: memory.memoryFileSystem(), tools, budget })
    const snapshot = snapshots.snapshotOf(texts)
    const run = turns.resolveTurn(agent, turn)
    const start = performance.now()
    const composed = composing.compose(snapshot, run)
    const afterCompose = performance.now()
    const fitted = fitting.fit(composed, run, (sections) => writing.writeSections(sections, agent))
    const afterFit = performance.now()
    rendering.render(fitted, composed, run)
    return { compose: afterCompose - start, fit: afterFit - afterCompose, render: performance.now() - afterFit }
  }
}
