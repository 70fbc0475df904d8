// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { holdCards, movedBy, type CardHold } from './hold-cards'

const VIEW = 300
let hold: CardHold | null = null
afterEach(() => {
  hold?.dispose()
  hold = null
  document.body.innerHTML = ''
})

/** jsdom has no layout: here each element without children is as high as its `data-high`, stacked vertically. */
function page(html: string) {
  document.body.innerHTML = `<main><section>${html}</section></main>`
  const view = document.querySelector('main') as HTMLElement
  const content = document.querySelector('section') as HTMLElement
  const leaves = () => [...content.querySelectorAll<HTMLElement>('[data-high]')]
  const high = (all: readonly HTMLElement[]) => all.reduce((sum, leaf) => sum + Number(leaf.dataset['high']), 0)
  const px = (length: string) => Number.parseFloat(length || '0')
  const contentHeight = () => Math.max(high(leaves()), px(content.style.minHeight))
  const end = () => Math.max(0, px(content.style.marginTop) + contentHeight() - VIEW)
  let scrolled = 0
  Object.defineProperties(view, {
    clientHeight: { value: VIEW },
    scrollHeight: { get: () => VIEW + end() },
    // Like a browser: shorter content is never scrolled past its end.
    scrollTop: {
      get: () => (scrolled = Math.min(scrolled, end())),
      set: (to: number) => {
        scrolled = Math.max(0, to)
      },
    },
  })
  Object.defineProperty(content, 'offsetHeight', { get: () => Math.max(contentHeight(), VIEW) })
  view.getBoundingClientRect = () => new DOMRect(0, 0, 100, VIEW)
  const rectOf = (element: HTMLElement) => {
    const isBefore = (leaf: HTMLElement) =>
      !element.contains(leaf) && (leaf.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    const inside = leaves().filter((leaf) => element.contains(leaf))
    const top = px(content.style.marginTop) + high(leaves().filter(isBefore)) - view.scrollTop
    return new DOMRect(0, top, 100, high(inside))
  }
  for (const element of content.querySelectorAll<HTMLElement>('*')) {
    element.getBoundingClientRect = () => rectOf(element)
  }
  hold = holdCards(view, content)
  const find = (selector: string) => content.querySelector(selector) as HTMLElement
  return {
    view,
    held: hold,
    resize: (selector: string, to: number) => void (find(selector).dataset['high'] = String(to)),
    topOf: (selector: string) => find(selector).getBoundingClientRect().top,
    moveTo: (selector: string) => {
      const { top } = find(selector).getBoundingClientRect()
      // jsdom has no pointer events.
      find(selector).dispatchEvent(new MouseEvent('pointermove', { bubbles: true, clientY: top + 1 }))
    },
  }
}

const card = (name: string, body = 40) =>
  `<div data-call-card="waiting" id="${name}"><p data-high="${body}"></p><div data-part="foot"><button data-high="20">Run</button></div></div>`
const turn = (above: number, ...cards: readonly string[]) =>
  `<div id="old" data-high="${above}"></div><div data-last-message><div id="auto" data-high="50"></div>${cards.join('')}</div>`

describe('a waiting card', () => {
  it.each([
    ['grows', 130],
    ['shrinks', 10],
    ['goes', 0],
  ])('stays in place while a card above it %s', (_, height) => {
    const { view, held, resize, topOf } = page(turn(600, card('one')))
    view.scrollTop = 450
    held.note()
    const before = topOf('#one button')
    resize('#auto', height)
    expect(held.keep()).toBe(true)
    expect(topOf('#one button')).toBe(before)
  })

  it.each([
    ['grows', 90],
    ['shrinks', 5],
  ])('stays in place while a card above it %s in a thread too short to scroll', (_, height) => {
    const { held, resize, topOf } = page(turn(30, card('one')))
    held.note()
    const before = topOf('#one button')
    resize('#auto', height)
    held.keep()
    expect(topOf('#one button')).toBe(before)
    expect(held.isStale()).toBe(true)
  })

  it('removes added space once no card waits', () => {
    const { view, held, resize } = page(turn(30, card('one')))
    held.note()
    resize('#auto', 5)
    held.keep()
    view.querySelector('#one')?.setAttribute('data-call-card', 'completed')
    expect(held.keep()).toBe(false)
    expect(held.isStale()).toBe(false)
    expect(view.querySelector('section')?.getAttribute('style')).toBe('')
  })

  it('stays in place when the content below it becomes shorter than the view', () => {
    const { view, held, resize, topOf } = page(`${turn(600, card('one'))}<div id="below" data-high="120"></div>`)
    view.scrollTop = 530
    held.note()
    const before = topOf('#one button')
    resize('#below', 0)
    held.keep()
    expect(topOf('#one button')).toBe(before)
  })

  it('stays below the pointer, if there are several cards', () => {
    const { view, held, resize, topOf, moveTo } = page(turn(600, card('one'), card('two'), card('three')))
    view.scrollTop = 550
    held.note()
    moveTo('#two button')
    const before = topOf('#two button')
    resize('#one p', 90)
    held.keep()
    expect(topOf('#two button')).toBe(before)
  })

  it('keeps the next card in place when the one at the pointer was decided', () => {
    const { view, held, resize, topOf, moveTo } = page(turn(600, card('one'), card('two')))
    view.scrollTop = 550
    held.note()
    moveTo('#one button')
    view.querySelector('#one')?.setAttribute('data-call-card', 'executing')
    const before = topOf('#two button')
    resize('#one p', 110)
    held.keep()
    expect(topOf('#two button')).toBe(before)
  })

  it('keeps its buttons in place while it grows by itself, and its head visible', () => {
    const { view, held, resize, topOf } = page(turn(600, card('one')))
    view.scrollTop = 450
    held.note()
    const before = topOf('#one button')
    resize('#one p', 100)
    held.keep()
    expect(topOf('#one button')).toBe(before)
    resize('#one p', 900)
    held.keep()
    expect(topOf('#one')).toBe(8)
  })

  it('grows downwards if the pointer is on the growing part', () => {
    const { view, held, resize, topOf, moveTo } = page(turn(600, card('one')))
    view.scrollTop = 450
    held.note()
    moveTo('#one p')
    const before = topOf('#one')
    resize('#one p', 100)
    held.keep()
    expect(topOf('#one')).toBe(before)
  })

  it('removes the space above as the reader scrolls down, without moving anything', () => {
    const { view, held, resize, topOf } = page(`${turn(30, card('one'))}<div id="below" data-high="400"></div>`)
    held.note()
    resize('#auto', 5)
    held.keep()
    const section = view.querySelector('section') as HTMLElement
    expect(section.style.marginTop).toBe('45px')
    view.scrollTop = 20
    const before = topOf('#one')
    held.note()
    expect(section.style.marginTop).toBe('25px')
    expect(topOf('#one')).toBe(before)
  })

  it('follows the reader’s scrolling', () => {
    const { view, held } = page(turn(600, card('one')))
    view.scrollTop = 450
    held.note()
    view.scrollTop = 380
    held.keep()
    expect(view.scrollTop).toBe(380)
  })

  it('holds nothing that is out of view', () => {
    const { view, held, resize } = page(turn(600, card('one')))
    view.scrollTop = 0
    held.note()
    resize('#old', 700)
    expect(held.keep()).toBe(false)
    expect(view.scrollTop).toBe(0)
  })
})

describe('movedBy', () => {
  const at = (y: number, top: number) => ({ y, top })
  const noScroll = { scrolledBy: 0, isAtEnd: false }
  it('is 0 if a list compensated by itself', () => {
    expect(movedBy(at(500, 100), at(560, 100), { scrolledBy: 60, isAtEnd: false })).toBe(0)
  })
  it('does not count a scroll in between', () => {
    expect(movedBy(at(500, 100), at(500, 60), { scrolledBy: 40, isAtEnd: false })).toBe(0)
    expect(movedBy(at(500, 100), at(530, 90), { scrolledBy: 40, isAtEnd: false })).toBe(30)
  })
  it('counts the browser’s scroll back when the content became shorter', () => {
    expect(movedBy(at(500, 100), at(500, 140), { scrolledBy: -40, isAtEnd: true })).toBe(40)
    expect(movedBy(at(500, 100), at(520, 120), noScroll)).toBe(20)
  })
})
