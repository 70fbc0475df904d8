// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ReactNode } from 'react'
import { lazyPart } from './lazy-part'
import { PageIsOld } from './part-failure'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  // React logs what a boundary caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.mocked(console.error).mockClear()
})

/** A chunk behind a network that the test switches off and on. */
function network() {
  const state = { away: true, asked: 0 }
  const load = () => {
    state.asked += 1
    return state.away
      ? Promise.reject(new Error('Failed to load chunk'))
      : Promise.resolve({ default: ({ name }: { name: string }) => <p>the part of {name}</p> })
  }
  return { state, load }
}

const show = async (ui: ReactNode) => {
  let shown: ReturnType<typeof render> | null = null
  await act(async () => {
    shown = render(ui)
    await Promise.resolve()
  })
  return shown as unknown as ReturnType<typeof render>
}

/** Waits out every pause between retries. */
const passed = (ms = 5_000) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('a lazily loaded part', () => {
  it('loads after a short outage without an error', async () => {
    const { state, load } = network()
    const Part = lazyPart(load, { what: () => 'The part', loading: <p>loading</p> })
    await show(<Part name="Ada" />)
    expect(screen.getByText('loading')).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(100))
    state.away = false
    await passed()
    expect(screen.getByText('the part of Ada')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows the error only in its own place, and a click retries', async () => {
    const { state, load } = network()
    const Part = lazyPart(load, { what: () => 'The part', plain: ({ name }) => <p>plain {name}</p> })
    await show(
      <>
        <p>the chat</p>
        <Part name="Ada" />
      </>,
    )
    await passed()
    expect(screen.getByText('the chat')).toBeDefined()
    expect(screen.getByText('plain Ada')).toBeDefined()
    expect(screen.getByRole('alert').textContent).toContain('The part could not be loaded')
    state.away = false
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
      await Promise.resolve()
    })
    await passed()
    expect(screen.getByText('the part of Ada')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('loads by itself once the network is back', async () => {
    const { state, load } = network()
    const Part = lazyPart(load, { what: () => 'The part' })
    await show(<Part name="Ada" />)
    await passed()
    state.away = false
    act(() => void window.dispatchEvent(new Event('online')))
    await passed(10)
    expect(screen.getByText('the part of Ada')).toBeDefined()
  })

  it('stays one sentence during failed retries, and loads when needed next', async () => {
    const { state, load } = network()
    const Part = lazyPart(load, { what: () => 'The part' })
    const { unmount } = await show(<Part name="Ada" />)
    await passed()
    const said = screen.getByRole('alert')
    const before = state.asked
    await passed(60_000)
    expect(state.asked).toBeGreaterThan(before)
    expect(screen.getByRole('alert')).toBe(said)
    unmount()
    state.away = false
    await show(<Part name="Bob" />)
    await passed()
    expect(screen.getByText('the part of Bob')).toBeDefined()
  })

  it('offers a reload if the server no longer has the part', async () => {
    const Part = lazyPart(network().load, { what: () => 'The part' })
    await show(
      <PageIsOld value>
        <Part name="Ada" />
      </PageIsOld>,
    )
    await passed()
    expect(screen.getByRole('alert').textContent).toContain('Nod was updated')
    expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
  })

  it('renders immediately if it was preloaded', async () => {
    const { state, load } = network()
    state.away = false
    const Part = lazyPart(load, { what: () => 'The part', loading: <p>loading</p> })
    await Part.preload()
    await show(<Part name="Ada" />)
    expect(screen.getByText('the part of Ada')).toBeDefined()
  })

  it('says that it broke when its own code throws, and closes', async () => {
    const close = vi.fn<() => void>()
    const Part = lazyPart<{ name: string }>(
      () =>
        Promise.resolve({
          default: () => {
            throw new Error('a mistake of ours')
          },
        }),
      { what: () => 'The part', look: 'over', close: () => close },
    )
    await show(<Part name="Ada" />)
    await passed()
    expect(screen.getByRole('alert').textContent).toContain('The part stopped working')
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(close).toHaveBeenCalledTimes(1)
  })
})
