// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRouter } from 'next/navigation'
import { Suspense, use, useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { changePage, PageChange } from './page-change'
import { PageLink } from './page-head'
import { waitMs } from './wait'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A page, and another one that comes when the server has it. */
function setUp() {
  const server = Promise.withResolvers<string>()
  const router = new EventTarget()
  function Page() {
    const [coming, setComing] = useState<Promise<string> | null>(null)
    useEffect(() => router.addEventListener('push', () => setComing(server.promise)), [])
    return <main>{coming === null ? 'This page' : use(coming)}</main>
  }
  vi.spyOn(useRouter(), 'push').mockImplementation(() => void router.dispatchEvent(new Event('push')))
  render(
    <>
      <Suspense fallback="nothing">
        <Page />
      </Suspense>
      <PageChange />
      <PageLink href="/lab">Lab</PageLink>
    </>,
  )
  return { server, press: () => act(async () => void fireEvent.click(screen.getByRole('link'))) }
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('says over the current page that another one is opening, once that takes long', async () => {
  const { server, press } = setUp()
  await press()
  await pass(waitMs - 1)
  expect(screen.queryByText('Opening the page…')).toBeNull()
  await pass(1)
  expect(screen.getByText('Opening the page…')).toBeTruthy()
  expect(screen.getByRole('main').textContent).toBe('This page')
  await act(async () => server.resolve('The lab'))
  await pass(0)
  expect(screen.getByRole('main').textContent).toBe('The lab')
  expect(screen.queryByText('Opening the page…')).toBeNull()
})

it('navigates even if nothing shows it', () => {
  const go = vi.fn<() => void>()
  changePage(go)
  expect(go).toHaveBeenCalledTimes(1)
})
