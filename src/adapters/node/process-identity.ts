import { createHash, randomInt } from 'node:crypto'
import fs from 'node:fs'
import { hostname } from 'node:os'
import { codeOf } from './failures.js'
import { close, open, readFully, readlink, type Work } from './operations.js'

/** Which process on which machine. */
export interface ProcessIdentity {
  /** 48 bits of what the machine and the process's view of it are called. */
  readonly machine: number
  /** When the process started, in ticks since the machine did; 0 where the system does not say. */
  readonly start: number
  readonly pid: number
}

/** `unknown`: it runs, or ran, where nobody here can look. */
export type ProcessState = 'alive' | 'dead' | 'unknown'

const MACHINES = 2 ** 48 - 1
const MACHINE_DIGITS = 15
const START_DIGITS = 12

let own: ProcessIdentity | undefined

/**
 * The identity of this process; found out once, when it is first asked for. Never throws.
 *
 * A Linux that does not say who is who (no `/proc`, or one of another namespace) could take the process of another
 * container for one of its own, so there every identity is of a machine of its own: to the others `unknown`.
 */
export function* ownIdentity(): Work<ProcessIdentity> {
  if (own !== undefined) return own
  if (process.platform !== 'linux') return remember(hashed(hostname()), 0)
  try {
    const boot = yield* read('/proc/sys/kernel/random/boot_id')
    const stat = statusOf(yield* read('/proc/self/stat'))
    // Of a time namespace of its own a process sees other ticks.
    const names = [boot, yield* readlink('/proc/self/ns/pid'), yield* timeNamespace(), hostname()]
    if (boot !== '' && stat?.pid === process.pid) return remember(hashed(names.join('\n')), stat.start)
  } catch {
    // Whoever wants to write a file will soon meet what is wrong here, if it matters.
  }
  return { machine: randomInt(MACHINES), start: 0, pid: process.pid }
}

/** Digits only: safe in every file name, and the same on disks that ignore case. */
export function formatIdentity({ machine, start, pid }: ProcessIdentity): string {
  return `${digits(machine, MACHINE_DIGITS)}${digits(start, START_DIGITS)}${pid}`
}

/** `undefined`: not what {@link formatIdentity} gives. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const [, machine, start, pid] = /^(\d{15})(\d{12})([1-9]\d{0,9})$/.exec(text) ?? []
  return pid === undefined ? undefined : { machine: Number(machine), start: Number(start), pid: Number(pid) }
}

/** Whether this very process still runs: another one may have come to bear its number. Never throws. */
export function* stateOf({ machine, start, pid }: ProcessIdentity): Work<ProcessState> {
  if (machine !== (yield* ownIdentity()).machine) return 'unknown'
  try {
    process.kill(pid, 0)
  } catch (error) {
    // All others, such as EPERM, are said of a process that is there.
    if (codeOf(error) === 'ESRCH') return 'dead'
  }
  if (process.platform !== 'linux' || start === 0) return 'alive'
  try {
    const found = statusOf(yield* read(`/proc/${pid}/stat`))
    return found !== undefined && (found.start !== start || found.isOver) ? 'dead' : 'alive'
  } catch {
    // Hidden from this user; or it ended this instant, which the next look will tell.
    return 'alive'
  }
}

interface Status {
  readonly pid: number
  readonly start: number
  /** It runs nothing any more, and waits for its parent to take notice. */
  readonly isOver: boolean
}

function statusOf(line: string): Status | undefined {
  // The name of the program stands in parentheses, and may hold anything.
  const fields = line.slice(line.lastIndexOf(')') + 1).split(' ')
  const [state = '', threads, start] = [fields[1], Number(fields[18]), Number(fields[20])]
  if (!Number.isSafeInteger(start)) return undefined
  // A thread may outlast the first one, in the middle of a call to the system.
  const isOver = ['Z', 'X'].includes(state) && threads <= 1
  return { pid: Number.parseInt(line, 10), start, isOver }
}

/** Systems before 5.6 have none. */
function* timeNamespace(): Work<string> {
  try {
    return yield* readlink('/proc/self/ns/time')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return ''
  }
}

function* read(path: string): Work<string> {
  const fd = yield* open(path, fs.constants.O_RDONLY)
  try {
    const bytes = Buffer.alloc(1_024)
    return bytes.toString('latin1', 0, yield* readFully(fd, bytes, 0))
  } finally {
    yield* close(fd)
  }
}

function remember(machine: number, start: number): ProcessIdentity {
  own = { machine, start, pid: process.pid }
  return own
}

function hashed(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6)
}

function digits(number: number, count: number): string {
  return String(number).padStart(count, '0')
}
