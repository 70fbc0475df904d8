// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { followView, type ViewFollower } from './follow-view'

/** jsdom has no layout: a text is as high as it is long, and resizes are never reported. */
function setUp(last: string, onObserver: (told: ResizeObserverCallback) => void = () => {}) {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(told: ResizeObserverCallback) {
        onObserver(told)
      }
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
  // The card is at the end of the content.
  const card = view.querySelector('[data-call-card]')
  const topOf = (top: () => number) => () => new DOMRect(0, top(), 100, 0)
  view.getBoundingClientRect = topOf(() => 0)
  if (card) card.getBoundingClientRect = topOf(() => above.textContent.length - view.scrollTop)
  const away = vi.fn<(away: boolean) => void>()
  followed = followView(view, content, away)
  return { view, above, away }
}
let followed: ViewFollower | null = null
afterEach(() => {
  followed?.dispose()
  vi.unstubAllGlobals()
})

describe('following the end', () => {
  it('compensates growth above a waiting card before anything else can happen', async () => {
    const { view, above } = setUp('<div data-call-card="waiting">Run</div>')
    expect(view.scrollTop).toBe(303)
    view.scrollTop = 203
    above.append('y'.repeat(40))
    await Promise.resolve()
    expect(view.scrollTop).toBe(243)
  })

  it('keeps a pressed element under the pointer until it is released', async () => {
    const { view, above } = setUp('<div data-call-card="waiting">Run</div>')
    view.scrollTop = 250
    const card = view.querySelector('[data-call-card]') as HTMLElement
    card.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    for (const [grown, top] of [
      ['', 250],
      ['y'.repeat(40), 290],
    ] as const) {
      above.append(grown)
      await Promise.resolve()
      expect(view.scrollTop).toBe(top)
    }
    window.dispatchEvent(new Event('pointerup'))
    above.append('y')
    await Promise.resolve()
    expect(view.scrollTop).toBe(view.scrollHeight - 100)
  })

  it('waits for the next frame if no card waits', async () => {
    const { view, above } = setUp('That is all.')
    view.scrollTop = 212
    above.append('y'.repeat(40))
    await Promise.resolve()
    expect(view.scrollTop).toBe(212)
  })

  it('stays at the start of a new reply if so configured, and offers a way to its end', () => {
    document.documentElement.dataset['follow'] = 'start'
    let told: ResizeObserverCallback = () => {}
    const { view, away } = setUp('', (callback) => (told = callback))
    const last = view.querySelector('[data-last-message]') as HTMLElement
    last.innerHTML = '<i data-said></i><b></b>'
    const said = last.querySelector('i') as HTMLElement
    said.getBoundingClientRect = () => new DOMRect(0, 300 - view.scrollTop, 100, 0)
    // The position that a browser would set.
    view.scrollTop = view.scrollHeight - 100
    view.dispatchEvent(new Event('scroll'))
    last.querySelector('b')?.append('y'.repeat(400))
    told([], {} as ResizeObserver)
    delete document.documentElement.dataset['follow']
    expect(view.scrollTop).toBe(276)
    expect(away).toHaveBeenLastCalledWith(true)
  })

  describe('below a picture', () => {
    /** The text above the picture is 300 px high; a reply grows below it. */
    function withPicture() {
      let told: ResizeObserverCallback = () => {}
      const { view, away } = setUp('Wait.', (callback) => (told = callback))
      const last = view.querySelector('[data-last-message]') as HTMLElement
      last.innerHTML = '<i data-picture></i><b></b>'
      const picture = last.querySelector('i') as HTMLElement
      // The position that a browser would set.
      view.scrollTop = view.scrollHeight - 100
      view.dispatchEvent(new Event('scroll'))
      picture.getBoundingClientRect = () => new DOMRect(0, 300 - view.scrollTop, 100, 0)
      const grow = (by: number) => {
        last.querySelector('b')?.append('y'.repeat(by))
        told([], {} as ResizeObserver)
        view.dispatchEvent(new Event('scroll'))
      }
      return { view, grow, away }
    }

    it('stops before the picture leaves the view, and offers a way to the text below', () => {
      const { view, grow, away } = withPicture()
      grow(60)
      expect(view.scrollTop).toBe(228)
      expect(away).not.toHaveBeenCalledWith(true)
      grow(400)
      expect(view.scrollTop).toBe(228)
      expect(away).toHaveBeenLastCalledWith(true)
    })

    it('follows the end once the reader scrolled there, and never goes back', () => {
      const { view, grow } = withPicture()
      grow(400)
      expect(view.scrollTop).toBe(228)
      view.scrollTop = 600
      view.dispatchEvent(new Event('scroll'))
      grow(100)
      expect(view.scrollTop).toBe(700)
      followed?.toEnd()
      grow(50)
      expect(view.scrollTop).toBe(750)
    })

    it('does not move a reader who scrolled up', () => {
      const { view, grow } = withPicture()
      grow(60)
      view.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 }))
      view.scrollTop = 40
      grow(300)
      expect(view.scrollTop).toBe(40)
    })

    it('is not held by a picture of an earlier turn', () => {
      const { view, grow } = withPicture()
      view.querySelector('[data-last-message]')?.insertAdjacentHTML('beforeend', '<u data-said></u>')
      grow(400)
      expect(view.scrollTop).toBe(600)
    })
  })
})
