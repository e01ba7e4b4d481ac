import { createHash, randomBytes } from 'node:crypto'
import type { Work } from './operations.js'
import { formatIdentity, ownIdentity, type ProcessIdentity, parseIdentity } from './process-identity.js'

/** 96 bytes at most, which leaves room for the rest of a name. */
const START_UNITS = 32
const TOKEN_END = '.soulprompt-token'

// Some disks give names back decomposed, and so longer.
const temporary = /^\..{1,128}\.(\d{28,37}-[0-9a-f]{12})\.soulprompt-tmp$/s
const lock = /^\..{1,128}\.[0-9a-f]{16}\.soulprompt-lock$/s
const token = /^(\d{28,37})-[0-9a-f]{12}$/

/** Says of what bears it which process made it: never the same twice. */
export function* newToken(): Work<string> {
  return `${formatIdentity(yield* ownIdentity())}-${randomBytes(6).toString('hex')}`
}

/** Which process made it; `undefined`: no token. */
export function makerOf(text: string): ProcessIdentity | undefined {
  const [, identity] = token.exec(text) ?? []
  return identity === undefined ? undefined : parseIdentity(identity)
}

/** Hidden, told by its end, of one process, and not the name of a Markdown file; short enough beside any name. */
export function temporaryName(name: string, token: string): string {
  return `.${startOf(name)}.${token}.soulprompt-tmp`
}

/** Not hidden, as somebody is to find it: `SOUL.md.0a1b2c3d4e5f.displaced`. */
export function displacedName(name: string, temporary: string): string {
  const random = tokenOfTemporary(temporary)?.slice(-12) ?? ''
  return `${name.slice(0, 64).toWellFormed()}.${random}.displaced`
}

/** The token in a temporary name; `undefined`: it is none. */
export function tokenOfTemporary(name: string): string | undefined {
  return temporary.exec(name)?.[1]
}

/** One for all the names by which some disk may take the same file: they may ignore case, and how accents are written. */
export function lockName(name: string): string {
  // Upper case first: it joins what has several lower cases, such as the Greek sigma.
  const folded = name.toUpperCase().toLowerCase().normalize('NFC')
  const hash = createHash('sha256').update(folded).digest('hex').slice(0, 16)
  return `.${startOf(folded)}.${hash}.soulprompt-lock`
}

export function isLockName(name: string): boolean {
  return lock.test(name)
}

/** Whether it bears the sign of a temporary file or of a lock, whoever made it. */
export function isOwnName(name: string): boolean {
  return name.startsWith('.') && /\.soulprompt-(?:tmp|lock)$/.test(name)
}

/** The file in a lock directory that says whose it is. */
export function tokenFile(token: string): string {
  return `${token}${TOKEN_END}`
}

/** What is in a token file's name, be it a token or not; `undefined`: it is no token file. */
export function tokenOfFile(name: string): string | undefined {
  return name.endsWith(TOKEN_END) ? name.slice(0, -TOKEN_END.length) : undefined
}

function startOf(name: string): string {
  return name.slice(0, START_UNITS).toWellFormed()
}
