/** What a loop waits for: a hint, the time or the end. One that comes while nobody waits is heard at the next wait. */
export function bellFor(ended: AbortSignal) {
  let rung = false
  let wake = () => {}
  const ring = () => {
    rung = true
    wake()
  }
  ended.addEventListener('abort', ring, { once: true })
  return {
    ring,
    /** @param ms the longest that it takes */
    async wait(ms: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
    },
  }
}
