import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command to its end and gives what it printed; throws with all of its output when it fails. */
export function execute(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout ?? ''}\n${stderr ?? ''}`)
  }
}

/** The tarball that would be published, packed from the built `dist`. */
export function pack(): { readonly tarball: string; readonly files: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'soulprompt-pack-'))
  const [packed] = JSON.parse(
    execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
  )
  return { tarball: join(folder, packed.filename), files: packed.files.map((file: { path: string }) => file.path) }
}

/** An empty project with the tarball installed. */
export function installInto(tarball: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'soulprompt-consumer-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball], folder)
  mkdirSync(join(folder, 'workspace'))
  writeFileSync(join(folder, 'workspace', 'SOUL.md'), 'Dry humour.\n')
  return folder
}
