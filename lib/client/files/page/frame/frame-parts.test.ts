// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describePageMessage } from './watch-page'
import { memoryStorage } from './frame'
import { createPicker, selectorOf } from './picker'

vi.stubGlobal('CSS', { escape: (name: string) => name.replaceAll(/[^\w-]/g, (sign) => `\\${sign}`) })

afterEach(() => {
  document.body.innerHTML = ''
})

const found = (selector: string): Element => {
  const element = document.querySelector(selector)
  if (!element) throw new Error(`nothing at ${selector}`)
  return element
}

describe('a selector', () => {
  it('finds its element again, starting at the nearest id', () => {
    document.body.innerHTML =
      '<main><section id="a:b"><p>1</p><p class="hi there">2</p><ul><li>x<li><b>y</b></ul></section></main><p>3</p>'
    for (const element of document.body.querySelectorAll('*')) expect(found(selectorOf(element))).toBe(element)
    expect(selectorOf(found('b'))).toBe('#a\\:b > ul > li:nth-of-type(2) > b')
    expect(selectorOf(document.body)).toBe('body')
  })
})

describe('what a page keeps', () => {
  it('lasts as long as it runs, as text', () => {
    const storage = memoryStorage()
    storage.setItem('a', '1')
    expect([storage.getItem('a'), storage.getItem('b'), storage.length, storage.key(0), storage.key(1)]).toEqual([
      '1',
      null,
      1,
      'a',
      null,
    ])
    storage.clear()
    expect(storage.length).toBe(0)
  })
})

describe('a page’s console output', () => {
  it('becomes text, also for values without one', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(describePageMessage(['a', 1, { b: [2] }, new TypeError('no'), circle, null, document.body])).toBe(
      'a 1 {"b":[2]} TypeError: no [object Object] null <body>',
    )
    expect(describePageMessage(['x'.repeat(10_000), 'y'])).toHaveLength(1_000)
  })
})

describe('picking a place', () => {
  function setUp() {
    document.body.innerHTML = '<main><button>Go</button><p>Text</p></main>'
    const said: object[] = []
    const picker = createPicker((message) => said.push(message))
    Element.prototype.scrollIntoView = () => {}
    picker.set(true)
    const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }))
    return { said, picker, press }
  }

  it('takes the pressed element, and the page gets no event', () => {
    const { said } = setUp()
    const pressed = vi.fn<() => void>()
    const button = found('button')
    button.addEventListener('click', pressed)
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    expect(said).toEqual([{ type: 'picked', selector: 'body > main > button', words: 'Go' }])
    expect(pressed).not.toHaveBeenCalled()
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    expect(pressed).toHaveBeenCalledTimes(1)
    expect(said).toHaveLength(1)
  })

  it('works with keys, and ends on Esc', () => {
    const { said, press, picker } = setUp()
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) press(key)
    expect(said).toEqual([{ type: 'picked', selector: 'body > main > p', words: 'Text' }])
    picker.set(true)
    press('Escape')
    expect(said.at(-1)).toEqual({ type: 'pick-ended' })
    expect(document.documentElement.lastElementChild).toBe(document.body)
  })
})
