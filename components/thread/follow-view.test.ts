// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { followView, type ViewFollower } from './follow-view'

/** jsdom lays nothing out: a text is as high as it is long, a resize is never told. */
function setUp(last: string) {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  const view = document.createElement('div')
  view.innerHTML = `<div><p>${'x'.repeat(300)}</p><div data-last-message>${last}</div></div>`
  Object.defineProperty(view, 'scrollHeight', { get: () => view.textContent.length })
  Object.defineProperty(view, 'clientHeight', { value: 100 })
  const [content, above] = [view.querySelector('div'), view.querySelector('p')]
  if (!content || !above) throw new Error('made above')
  // The card stands at the end of what is there.
  const card = view.querySelector('[data-call-card]')
  const topOf = (top: () => number) => () => new DOMRect(0, top(), 100, 0)
  view.getBoundingClientRect = topOf(() => 0)
  if (card) card.getBoundingClientRect = topOf(() => above.textContent.length - view.scrollTop)
  followed = followView(view, content, () => {})
  return { view, above }
}
let followed: ViewFollower | null = null
afterEach(() => {
  followed?.dispose()
  vi.unstubAllGlobals()
})

describe('following the end', () => {
  it('makes up for what grows above a card that waits before anything else can happen', async () => {
    const { view, above } = setUp('<div data-call-card="waiting">Run</div>')
    expect(view.scrollTop).toBe(303)
    view.scrollTop = 203
    above.append('y'.repeat(40))
    await Promise.resolve()
    expect(view.scrollTop).toBe(243)
  })

  it('leaves it to the next frame where nothing waits to be pressed', async () => {
    const { view, above } = setUp('That is all.')
    view.scrollTop = 212
    above.append('y'.repeat(40))
    await Promise.resolve()
    expect(view.scrollTop).toBe(212)
  })
})
