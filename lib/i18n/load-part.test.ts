import { describe, expect, it, vi } from 'vitest'
import { PartNotLoaded, loadPart, watchMissingParts } from '@/lib/i18n/load-part'

const failing = (times: number) => {
  let left = times
  return vi.fn<() => Promise<string>>(() =>
    left-- > 0 ? Promise.reject(new Error('Failed to load chunk')) : Promise.resolve('the part'),
  )
}

describe('loadPart', () => {
  it('loads once if the part is available', async () => {
    const load = failing(0)
    expect(await loadPart(load)).toBe('the part')
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('retries after a longer pause each time', async () => {
    const pauses: number[] = []
    const pause = (ms: number) => Promise.resolve(void pauses.push(ms))
    expect(await loadPart(failing(2), pause)).toBe('the part')
    expect(pauses).toHaveLength(2)
    expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0)
  })

  it('gives up with an error, notifies listeners, and starts afresh on the next call', async () => {
    const missing = vi.fn<() => void>()
    const unwatch = watchMissingParts(missing)
    const load = failing(3)
    const pause = () => Promise.resolve()
    const failure: unknown = await loadPart(load, pause).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PartNotLoaded)
    expect((failure as PartNotLoaded).message).toMatch(/could not be loaded.*try again/i)
    expect(missing).toHaveBeenCalledTimes(1)
    expect(await loadPart(load, pause)).toBe('the part')
    unwatch()
    await loadPart(failing(9), pause).catch(() => null)
    expect(missing).toHaveBeenCalledTimes(1)
  })
})
