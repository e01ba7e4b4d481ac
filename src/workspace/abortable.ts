import { once } from '../plain-data.js'

// One listener a signal: dozens of files are read under one, and Node warns of a leak from the eleventh listener on.
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

function callbacksOf(signal: AbortSignal): Set<() => void> {
  return once(waiting, signal, () => {
    const callbacks = new Set<() => void>()
    signal.addEventListener('abort', () => callbacks.forEach((callback) => void callback()), { once: true })
    return callbacks
  })
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts: a call may hang for ever. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const callbacks = callbacksOf(signal)
    const onAbort = () => reject(signal.reason)
    callbacks.add(onAbort)
    if (signal.aborted) onAbort()
    promise.then(resolve, reject).finally(() => callbacks.delete(onAbort))
  })
}
