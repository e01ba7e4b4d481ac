import { describe, expect, it } from 'vitest'
import { withDeadline } from '../../src/workspace/deadline.js'

describe('withDeadline', () => {
  it('gives what a task gives, throws and rejects', async () => {
    expect(await withDeadline(() => 1, 1_000, undefined)).toEqual({ state: 'done', value: 1 })
    expect(await withDeadline(async () => 2, 1_000, undefined)).toEqual({ state: 'done', value: 2 })
    const error = new Error('kaput')
    const throwing = () => {
      throw error
    }
    expect(await withDeadline(throwing, 1_000, undefined)).toEqual({ state: 'failed', error })
    expect(await withDeadline(() => Promise.reject(error), 1_000, undefined)).toEqual({ state: 'failed', error })
  })

  it('tells a late task to stop and ignores what it does then', async () => {
    let aborted: unknown
    const outcome = await withDeadline(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = signal.reason
            reject(new Error('stopped'))
          })
        }),
      5,
      undefined,
    )
    expect(outcome).toEqual({ state: 'late' })
    expect(aborted).toMatchObject({ name: 'TimeoutError' })
  })

  it('rejects with the reason of its parent, and passes it on', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    let seen: unknown
    const outcome = withDeadline(
      ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            seen = signal.reason
          })
        }),
      1_000,
      controller.signal,
    )
    controller.abort(reason)
    await expect(outcome).rejects.toBe(reason)
    expect(seen).toBe(reason)
  })
})
