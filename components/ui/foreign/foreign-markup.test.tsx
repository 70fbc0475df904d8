// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { frameHung } from '@/lib/base/app-error'
import { type SealedFrameHandle, ForeignMarkup } from './sealed-frame'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const nested = (depth: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"><rect/></g>${Array.from(
    { length: depth },
    (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
  ).join('')}</svg>`

const frames = () => Array.from(document.querySelectorAll('iframe'))
const only = () => {
  const [frame] = frames()
  if (!frame || frames().length !== 1) throw new Error(`${frames().length} frames`)
  return frame
}
/** A message from the frame to the page. */
const say = (data: object, frame = only()) =>
  act(() => void window.dispatchEvent(new MessageEvent('message', { data, source: frame.contentWindow })))

/** The messages from the page to the frame. */
function heard(frame = only()) {
  const messages: unknown[] = []
  const inside = frame.contentWindow
  if (inside) inside.postMessage = ((message: unknown) => void messages.push(message)) as typeof inside.postMessage
  return messages
}

const show = (kind: 'svg' | 'html', text: string) =>
  render(<ForeignMarkup label="chart" markup={{ kind, text }} height="content" />)

describe('foreign SVG and HTML', () => {
  test.each([
    ['svg', '<svg width="300" height="200"/>'],
    ['html', '<b>bold</b>'],
  ] as const)('%s goes to a sealed frame, never into the page', (kind, text) => {
    const { container } = show(kind, text)
    const frame = only()
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
    expect(frame.getAttribute('src')).toBe('/show.html')
    expect(frame.title).toBe('chart')
    expect(container.querySelector('svg, img, b')).toBeNull()
    const messages = heard()
    say({ type: 'nod-show-hello' })
    expect(messages).toEqual([{ type: 'nod-show', [kind]: text, isCentred: false }])
  })

  test.each([
    ['svg', nested(7), /SVG, .* it has about [\d,]+ elements. Drawing may take a while/],
    ['html', `<p>${nested(12)}</p>`, /HTML, .* it has over a billion elements/],
    ['svg', `<svg>${'<g/>'.repeat(200_000)}</svg>`, /it is long/],
    ['svg', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', /it defines entities/],
  ] as const)('a heavy %s is drawn only on request', (kind, text, words) => {
    show(kind, text)
    expect(frames()).toEqual([])
    expect(document.body.textContent).toMatch(words)
    fireEvent.click(screen.getByRole('button', { name: 'Draw' }))
    expect(frames()).toHaveLength(1)
  })

  test('has the height that it reports, and a picture its own width', () => {
    show('svg', '<svg/>')
    say({ type: 'nod-show-size', height: 300, width: 420, ownHeight: 300 })
    expect(only().style.height).toBe('300px')
    expect(only().style.width).toBe('420px')
    say({ type: 'nod-show-size', height: 1e9, width: Number.NaN, ownHeight: 1 })
    expect(only().style.height).toBe('640px')
  })

  test('is removed if it stops answering, with a way to reload it, and reports that it hung', () => {
    const hung = vi.fn<() => void>()
    window.addEventListener(frameHung, hung)
    show('svg', '<svg/>')
    const messages = heard()
    say({ type: 'nod-show-hello' })
    for (let beat = 1; beat <= 8; beat++) {
      act(() => void vi.advanceTimersByTime(2_500))
      say({ type: 'nod-show-pong', n: beat })
    }
    expect(messages.filter((message) => (message as { type: string }).type === 'nod-show-ping')).toHaveLength(8)
    act(() => void vi.advanceTimersByTime(15_000))
    expect(frames()).toEqual([])
    expect(hung).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('status').textContent).toContain('Drawing chart took too long and was stopped.')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(frames()).toHaveLength(1)
    window.removeEventListener(frameHung, hung)
  })

  test('is removed if it never starts, and a damaged picture says so', () => {
    const { unmount } = show('html', '<b/>')
    act(() => void vi.advanceTimersByTime(25_000))
    expect(frames()).toEqual([])
    unmount()
    show('svg', '<svg')
    say({ type: 'nod-show-broken' })
    expect(screen.getByRole('status').textContent).toContain('cannot be shown')
  })

  test('exists only while it is in view', () => {
    const seen: ((inView: boolean) => void)[] = []
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
          seen.push((isIntersecting) => act(() => tell([{ isIntersecting }])))
        }
        observe() {}
        disconnect() {}
      },
    )
    show('html', '<b/>')
    expect(frames()).toEqual([])
    seen[0]?.(true)
    expect(frames()).toHaveLength(1)
    seen[0]?.(false)
    expect(frames()).toEqual([])
  })

  test('is one of a dozen at once; the others load on a click', () => {
    render(
      <>
        {Array.from({ length: 50 }, (_, at) => (
          <ForeignMarkup
            key={at}
            label={`page ${at}`}
            markup={{ kind: 'html', text: `<b>${at}</b>` }}
            height="content"
          />
        ))}
      </>,
    )
    expect(frames()).toHaveLength(12)
    const buttons = screen.getAllByRole('button', { name: 'Show' })
    expect(buttons).toHaveLength(38)
    const last = buttons.at(-1)
    if (last) fireEvent.click(last)
    expect(frames()).toHaveLength(12)
    expect(frames().some(({ title }) => title === 'page 49')).toBe(true)
  })

  test('returns a picture as PNG, or nothing if it takes too long', async () => {
    const handle = createRef<SealedFrameHandle>()
    render(<ForeignMarkup label="chart" markup={{ kind: 'svg', text: '<svg/>' }} height="content" handle={handle} />)
    const drawn = handle.current?.png()
    say({ type: 'nod-show-png', bytes: new Uint8Array([1, 2]).buffer })
    expect((await drawn)?.size).toBe(2)
    const late = handle.current?.png()
    act(() => void vi.advanceTimersByTime(15_000))
    expect(await late).toBeNull()
  })
})
