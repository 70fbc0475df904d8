// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FullPage } from '@/lib/client/files/page/inline-page'
import type { PageBundle } from '@/lib/client/files/page/page-files'
import type { PageLine, PageLocation, PageScroll } from '@/lib/client/files/page/page-messages'
import { RunPage } from './run-page'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const bytes = (text: string) => new TextEncoder().encode(text)
const bundleOf = (files: Readonly<Record<string, string>>): PageBundle => ({
  files: new Map(Object.entries(files).map(([path, text]) => [path, bytes(text)])),
  left: [],
})
const arrival = { path: '/site/index.html', query: '?q=1', hash: '#here' }
const page: FullPage = {
  html: '<p>x',
  title: 'A page',
  base: '/site/index.html',
  hasScripts: true,
  missing: ['/site/a.js'],
  left: [],
  remote: [],
  used: [],
  bundle: bundleOf({ '/site/data.json': '1' }),
}
const sent = { type: 'page', ...arrival, html: '<p>x', base: page.base, bundle: page.bundle, scroll: null }

/** The frame's end of the port: what it receives and sends. */
function setUp({ isApart = true, mayHang = false, hasScripts = true } = {}) {
  const picked = vi.fn<(place: PageLocation | null) => void>()
  const quoted = vi.fn<(lines: readonly PageLine[]) => void>()
  const knows = vi.fn<() => void>()
  const links = vi.fn<(address: string) => void>()
  const asked = vi.fn<(path: string) => void>()
  const scrolls = new Map<string, PageScroll>()
  const draw = (picking: boolean, hangs = mayHang, bundle = page.bundle, step = 0) => (
    <RunPage
      path="/site/index.html"
      page={{ ...page, hasScripts, bundle }}
      visit={{ at: step === 0 ? arrival : { ...arrival, hash: `#${step}` }, step, scrolls }}
      picking={picking}
      mayHang={hangs}
      onMayHang={knows}
      onPicked={picked}
      links={{ link: links, form: links }}
      onAsked={asked}
      onSend={quoted}
    />
  )
  const { rerender } = render(draw(false))
  const frames = () => [...document.querySelectorAll('iframe')]
  const heard: unknown[] = []
  const hello = () => {
    const listeners: ((event: { readonly data: unknown }) => void)[] = []
    // A synchronous port, because jsdom has none.
    const port = {
      addEventListener: (_name: string, listener: (event: { readonly data: unknown }) => void) =>
        listeners.push(listener),
      start() {},
      close() {},
      postMessage: (message: unknown) => heard.push(message),
    }
    const event = new MessageEvent('message', {
      data: { type: 'nod-run-hello', isApart },
      source: frames()[0]?.contentWindow ?? null,
    })
    Object.defineProperty(event, 'ports', { value: [port] })
    act(() => void window.dispatchEvent(event))
    return (data: unknown) => act(() => listeners.forEach((listener) => listener({ data })))
  }
  return { picked, quoted, knows, links, asked, scrolls, draw, rerender, frames, heard, hello }
}
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('a page is sent to its sealed frame once the frame is ready, and missing files are named', () => {
  const { frames, heard, hello } = setUp()
  const [frame] = frames()
  expect(frame?.getAttribute('sandbox')).toBe('allow-scripts allow-forms')
  expect(frame?.getAttribute('src')).toBe('/run.html')
  expect(screen.getByText('Not in this workspace: /site/a.js.')).toBeDefined()
  hello()
  hello()
  expect(heard).toEqual([sent])
})

test('a page that stops answering is ended, and can be run again', () => {
  const { frames, hello } = setUp()
  const say = hello()
  for (let beat = 0; beat < 20; beat++) {
    wait(1_000)
    say({ type: 'pong' })
  }
  expect(frames()).toHaveLength(1)
  wait(7_000)
  expect(frames()).toEqual([])
  expect(screen.getByRole('status').textContent).toMatch(/did not respond for 6/)
  fireEvent.click(screen.getByRole('button', { name: 'Run again' }))
  expect(frames()).toHaveLength(1)
  wait(21_000)
  expect(screen.getByRole('status').textContent).toMatch(/did not start/)
})

test('a page that navigates away, floods messages or is stopped by the user is ended', () => {
  const { frames, hello } = setUp()
  const again = () => fireEvent.click(screen.getByRole('button', { name: 'Run again' }))
  hello()({ type: 'left' })
  expect(screen.getByRole('status').textContent).toMatch(/tried to open another address/)
  again()
  const say = hello()
  for (let at = 0; at < 501; at++) say({ type: 'line', text: 'x' })
  expect(screen.getByRole('status').textContent).toMatch(/sent too many messages/)
  again()
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(frames()).toEqual([])
})

test('without its own process, a page runs only after confirmation or if it has no scripts', () => {
  const { frames, heard, hello, knows, rerender, draw } = setUp({ isApart: false })
  hello()
  expect(heard).toEqual([])
  expect(frames()).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Run anyway' }))
  expect(knows).toHaveBeenCalledTimes(1)
  rerender(draw(false, true))
  hello()
  expect(heard).toEqual([sent])
  cleanup()
  const plain = setUp({ isApart: false, hasScripts: false })
  plain.hello()
  expect(plain.heard).toHaveLength(1)
})

test('a picked element and printed lines are passed on as text', () => {
  const { heard, hello, picked, quoted, links, rerender, draw } = setUp()
  const say = hello()
  rerender(draw(true))
  expect(heard.at(-1)).toEqual({ type: 'pick', on: true })
  say({ type: 'picked', selector: '#a', words: 'A\nB' })
  expect(picked).toHaveBeenCalledWith({ kind: 'picked', selector: '#a', words: 'A B' })
  say({ type: 'line', level: 'error', text: 'TypeError: x', place: '/site/a.js:3' })
  say({ type: 'refused', address: 'https://evil.example' })
  say({ type: 'link', address: '/other.html' })
  expect(links).toHaveBeenCalledWith('/other.html')
  fireEvent.click(screen.getByRole('button', { name: 'Console: 2 lines, 1 error' }))
  fireEvent.click(screen.getByRole('button', { name: 'Add to the message' }))
  expect(quoted.mock.calls[0]?.[0].map(({ text }) => text)).toEqual(['TypeError: x', 'Blocked: https://evil.example'])
})

test('a changed file is sent to a page that has not read it, and restarts in place a page that has', () => {
  const { heard, hello, asked, rerender, draw, frames } = setUp()
  const say = hello()
  const other = bundleOf({ '/site/data.json': '2' })
  rerender(draw(false, false, other))
  expect(heard.at(-1)).toEqual({ type: 'bundle', bundle: other })
  say({ type: 'scroll', x: 0, y: 300 })
  say({ type: 'file', what: 'used', path: '/site/data.json' })
  say({ type: 'file', what: 'used', path: '/never/heard-of' })
  expect(asked.mock.calls).toEqual([['/site/data.json']])
  const [before] = frames()
  rerender(draw(false, false, bundleOf({ '/site/data.json': '3' })))
  expect(frames()[0]).not.toBe(before)
  hello()
  expect(heard.at(-1)).toMatchObject({ type: 'page', scroll: { x: 0, y: 300 } })
})

test('a link within the page scrolls to its target; a missing file is named in the console', () => {
  const { heard, hello, rerender, draw } = setUp()
  const say = hello()
  rerender(draw(false, false, page.bundle, 1))
  expect(heard.at(-1)).toEqual({ type: 'hash', hash: '#1' })
  say({ type: 'file', what: 'missing', path: '/site/no.json' })
  say({ type: 'file', what: 'written', path: 'POST /api' })
  fireEvent.click(screen.getByRole('button', { name: 'Console: 2 lines' }))
  expect(screen.getByText(/Not in this workspace: \/site\/no\.json/)).toBeDefined()
  expect(screen.getByText(/Blocked: POST \/api\. Pages here have no server/)).toBeDefined()
})
