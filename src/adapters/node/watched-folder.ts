import type { FileReading } from '../../ports/file-system.js'
import type { AskedPaths } from './asked-paths.js'
import type { Cache } from './cache.js'
import { outcomeOf } from './failures.js'
import { type Before, changedNames, knownOf } from './folder-changes.js'
import { openFolderEvents, type Way } from './folder-events.js'
import { type Found, filesIn, keysOf, locate, type Place, samePlace } from './locate-folder.js'
import type { StatKey } from './stat-key.js'

export interface WatchContext {
  /** The root as it was given, absolute. */
  readonly given: string
  readonly asked: AskedPaths
  readonly files: Cache<FileReading>
  readonly way: Way
  /** Called with a path that may have changed. */
  hint(path: string): void
  /** Has every folder looked at now. */
  lookSoon(): void
  warn(message: string, cause: unknown): void
}

export interface WatchedFolder {
  /** Sees whether another folder stands there by now, or none, and does what is due. Never rejects. */
  look(): Promise<void>
  /** May be called again, for what was still being opened the first time. */
  close(): Promise<void>
}

/** One opening of events. What is heard of an earlier one counts no more. */
interface Events {
  isReady: boolean
  stop?: () => Promise<void>
}

interface Due {
  readonly before: Before
  readonly since?: number
  readonly isLast?: boolean
}

/**
 * Watches one folder of the workspace, and whatever is put in its place. It need not be there yet.
 *
 *   look ─► another folder than before? ─► events opened ─► ready ─► what changed until now ─► events
 */
export function watchFolder(context: WatchContext, folder: string): WatchedFolder {
  let isClosed = false
  let isFirst = true
  let place: Place | undefined
  let way = context.way
  let events: Events | undefined
  const stopping = new Set<Promise<unknown>>()
  /** Something says that nothing more may come from this place. */
  let isDoubtful = false
  /** With what the files are to be compared, for changes that no event told of. */
  let due: Due | undefined = {
    before: knownOf(context.asked, context.files, folder),
    since: Date.now(),
  }
  let names = new Set<string>()
  let links: ReadonlyMap<string, StatKey> = new Map()
  let mayHaveOtherLinks = false

  const label = folder === '' ? 'the workspace' : folder
  function hint(all: Iterable<string>) {
    for (const name of all) context.hint(folder === '' ? name : `${folder}/${name}`)
  }

  function stop(opened: Events | undefined) {
    const stopped = opened?.stop?.()
    if (stopped === undefined) return
    stopping.add(stopped)
    void stopped.finally(() => stopping.delete(stopped))
  }

  function closeEvents() {
    stop(events)
    events = undefined
  }

  function moveTo(next: Place | undefined) {
    closeEvents()
    place = next
    way = context.way
    if (isFirst) return
    hint([...names, ...context.asked.namesIn(folder)])
    names.clear()
    due = { before: new Map() }
  }

  async function open(real: string) {
    const opened: Events = { isReady: false }
    const ifCurrent = (act: () => void) => events === opened && act()
    events = opened
    opened.stop = await openFolderEvents(real, way, {
      ready: () => {
        opened.isReady = true
        ifCurrent(context.lookSoon)
      },
      changed: (name) =>
        ifCurrent(() => {
          mayHaveOtherLinks = true
          if (name !== undefined) names.add(name)
          hint(name === undefined ? names : [name])
        }),
      gone: () =>
        ifCurrent(() => {
          isDoubtful = true
          context.lookSoon()
        }),
      failed: (error) => ifCurrent(() => fail(error)),
    })
    if (events !== opened) stop(opened)
  }

  /** There are no more watches to be had (ENOSPC, EMFILE), or none for this folder. */
  function fail(error: unknown) {
    if (way === 'polling') return context.warn(`Changes in ${label} may not be told`, error)
    context.warn(`The system does not tell of changes in ${label}, which is looked at once a second instead`, error)
    way = 'polling'
    closeEvents()
    due ??= { before: new Map() }
    context.lookSoon()
  }

  async function catchUp(place: Place, { before, since, isLast }: Due) {
    const opened = events
    const found = await filesIn(place)
    const keys = await keysOf(place, found.map(nameOf))
    if (events !== opened) return
    hint(changedNames(before, keys, since))
    names = new Set(found.map(nameOf))
    const areLinks = new Set(linksAmong(found))
    links = new Map([...keys].filter(([name]) => areLinks.has(name)))
    // Polling compares with a first look of its own, which may come after this one.
    due = way === 'polling' && !isLast ? { before: keys, isLast: true } : undefined
  }

  /** No event tells of a change in what a link leads to. */
  async function lookAtLinks(place: Place) {
    let all: Iterable<string> = links.keys()
    if (mayHaveOtherLinks) {
      mayHaveOtherLinks = false
      const found = await filesIn(place)
      names = new Set(found.map(nameOf))
      all = linksAmong(found)
    }
    const keys = await keysOf(place, all)
    if (isClosed) return
    hint(changedNames(links, keys))
    links = keys
  }

  async function work() {
    const wasDoubtful = isDoubtful
    isDoubtful = false
    const next = await locate(context.given, folder)
    if (isClosed) return
    if (wasDoubtful || !samePlace(place, next)) moveTo(next)
    isFirst = false
    if (place === undefined) return
    if (events === undefined) await open(place.real)
    else if (!events.isReady) return
    else if (due !== undefined) await catchUp(place, due)
    else if (mayHaveOtherLinks || links.size > 0) await lookAtLinks(place)
  }

  return {
    async look() {
      try {
        await work()
      } catch (error) {
        // What is gone again is seen the next time.
        if (outcomeOf(error).state !== 'missing') context.warn(`Changes in ${label} may not be told`, error)
      }
    },
    async close() {
      isClosed = true
      closeEvents()
      await Promise.all(stopping)
    },
  }
}

function linksAmong(found: readonly Found[]): readonly string[] {
  return found.filter(({ isLink }) => isLink).map(nameOf)
}

function nameOf({ name }: Found): string {
  return name
}
