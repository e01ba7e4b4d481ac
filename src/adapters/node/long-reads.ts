import { roomForEnds } from './content.js'
import { type Work, wait } from './operations.js'

/** What the long files of one call of `read` have in common, so that many cost no more memory than one. */
export interface LongReads {
  /** Resumes when those that came before are read; the function it returns lets the next one begin. */
  turn(): Work<() => void>
  /** For the ends of the file whose turn it is. */
  room(): Uint8Array
}

export function longReads(): LongReads {
  let last = Promise.resolve()
  let room: Uint8Array | undefined
  return {
    *turn() {
      const before = last
      let end = () => {}
      last = new Promise((resolve) => {
        end = () => resolve()
      })
      try {
        yield* wait(before)
      } catch (error) {
        // It was aborted; those behind it are as well, and still one after another.
        void before.then(end)
        throw error
      }
      return end
    },
    room() {
      room ??= roomForEnds()
      return room
    },
  }
}
