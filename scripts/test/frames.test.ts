// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'

it('animation frames run on after a test with fake timers asked for one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  requestAnimationFrame(() => {})
  vi.useRealTimers()
  const frames: string[] = []
  requestAnimationFrame(() => frames.push('ran'))
  await vi.waitFor(() => expect(frames).toEqual(['ran']))
})
