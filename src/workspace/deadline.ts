/** What became of a task that had until its deadline. */
export type Outcome<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'late' }

/**
 * Runs somebody else's code for at most `ms` milliseconds. Never rejects for the task's sake: only when `parent`
 * aborts, with its reason. A task that goes on after its deadline is told so through its signal and otherwise ignored.
 */
export function withDeadline<T>(
  task: (options: { readonly signal: AbortSignal }) => T | Promise<T>,
  ms: number,
  parent: AbortSignal | undefined,
): Promise<Outcome<T>> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const onAbort = () => {
      clearTimeout(timer)
      controller.abort(parent?.reason)
      reject(parent?.reason)
    }
    const settle = (outcome: Outcome<T>) => {
      clearTimeout(timer)
      parent?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const timer = setTimeout(() => {
      settle({ state: 'late' })
      controller.abort(new DOMException(`The deadline of ${ms} ms passed`, 'TimeoutError'))
    }, ms)
    parent?.addEventListener('abort', onAbort, { once: true })
    if (parent?.aborted) return onAbort()
    try {
      // The controller makes its signal when it is asked for, which a store that answers at once never does.
      Promise.resolve(task(signalOf(controller))).then(
        (value) => settle({ state: 'done', value }),
        (error) => settle({ state: 'failed', error }),
      )
    } catch (error) {
      settle({ state: 'failed', error })
    }
  })
}

function signalOf(controller: AbortController): { readonly signal: AbortSignal } {
  return {
    get signal() {
      return controller.signal
    },
  }
}
