import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const source = fileURLToPath(new URL('../../../src/', import.meta.url))
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true }

/** A module of the sources, by default `soulprompt/node`, as a process of its own can run it: the path of the entry. */
export function compiled(folder: string, entry = 'adapters/node/index.js'): string {
  const names = new Set([entry])
  for (const name of names) {
    const text = fs.readFileSync(join(source, name.replace(/\.js$/, '.ts')), 'utf8')
    const { outputText } = ts.transpileModule(text, { compilerOptions })
    for (const [, path = ''] of outputText.matchAll(/from '(\.[^']+)'/g)) names.add(join(dirname(name), path))
    fs.mkdirSync(dirname(join(folder, 'js', name)), { recursive: true })
    fs.writeFileSync(join(folder, 'js', name), outputText)
  }
  fs.writeFileSync(join(folder, 'js/package.json'), '{ "type": "module" }')
  return join(folder, 'js', entry)
}
