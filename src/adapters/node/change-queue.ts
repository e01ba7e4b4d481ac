/** Lets tasks of one key run one after another, in the order in which they came, and those of other keys beside them. */
export interface ChangeQueue {
  /** Settles as the task does. What became of a task does not concern the next one. */
  inTurn<T>(key: string, task: () => Promise<T>): Promise<T>
  /** Keys of which a task is running or waiting. */
  readonly size: number
}

export function changeQueue(): ChangeQueue {
  const last = new Map<string, Promise<void>>()
  return {
    inTurn(key, task) {
      const turn = (last.get(key) ?? Promise.resolve()).then(task)
      const end = turn.then(
        () => {},
        () => {},
      )
      last.set(key, end)
      void end.then(() => last.get(key) === end && last.delete(key))
      return turn
    },
    get size() {
      return last.size
    },
  }
}
