const maxSteps = 5

/**
 * Returns a selector that finds an element in its page: starting at the nearest id, by tags and positions among
 * siblings.
 */
export function selectorOf(element: Element): string {
  const steps: string[] = []
  for (let at: Element | null = element; at !== null && steps.length < maxSteps; at = at.parentElement) {
    const tag = at.localName
    if (at.id !== '' && at.id.length <= 60) {
      steps.unshift(`#${CSS.escape(at.id)}`)
      break
    }
    if (tag === 'html' || tag === 'body') {
      steps.unshift(tag)
      break
    }
    steps.unshift(`${tag}${classOf(at)}${placeOf(at)}`)
  }
  return steps.join(' > ')
}

/** The first class is easier to read than a number, which still decides. */
function classOf(element: Element): string {
  const [first] = element.classList
  return first !== undefined && first.length <= 40 ? `.${CSS.escape(first)}` : ''
}

function placeOf(element: Element): string {
  const alike = [...(element.parentElement?.children ?? [])].filter(({ localName }) => localName === element.localName)
  return alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : ''
}

export interface Picker {
  /** Starts picking, or ends it. */
  readonly set: (on: boolean) => void
}

const mark =
  'all:initial;position:fixed;z-index:2147483647;pointer-events:none;box-sizing:border-box;outline:2px solid #b3520d;outline-offset:1px;background:rgb(179 82 13 / 12%)'

const events = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu'] as const

/** Lets the user pick an element: by pointer, or by keys (arrows move, Enter picks, Esc ends). */
export function createPicker(say: (message: object) => void): Picker {
  const box = document.createElement('div')
  let at: Element | null = null
  let stop: AbortController | null = null

  const show = (element: Element | null) => {
    if (element === null) return
    at = element
    const { left, top, width, height } = element.getBoundingClientRect()
    box.style.cssText = `${mark};left:${left}px;top:${top}px;width:${width}px;height:${height}px`
  }
  const end = () => {
    stop?.abort()
    stop = null
    at = null
    box.remove()
  }
  const take = (element: Element) => {
    const selected = String(getSelection() ?? '').trim()
    const words = selected === '' ? (element.textContent ?? '') : selected
    say({ type: 'picked', selector: selectorOf(element), words: words.slice(0, 2_000) })
    end()
  }
  const next: Readonly<Record<string, (from: Element) => Element | null>> = {
    ArrowUp: ({ parentElement }) => parentElement,
    ArrowDown: ({ firstElementChild }) => firstElementChild,
    ArrowLeft: ({ previousElementSibling }) => previousElementSibling,
    ArrowRight: ({ nextElementSibling }) => nextElementSibling,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const go = Object.hasOwn(next, event.key) ? next[event.key] : undefined
    if (event.key === 'Escape') {
      end()
      say({ type: 'pick-ended' })
    } else if (event.key === 'Enter' && at) take(at)
    else if (go) {
      const found = go(at ?? document.body)
      if (found !== null && found !== box) {
        found.scrollIntoView({ block: 'nearest' })
        show(found)
      }
    } else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const elementOf = ({ target }: Event): Element | null => (target instanceof Element ? target : null)

  const begin = () => {
    stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    document.documentElement.append(box)
    show(document.body.firstElementChild ?? document.body)
    addEventListener('pointermove', (event) => show(elementOf(event)), options)
    addEventListener('scroll', () => show(at), options)
    addEventListener('keydown', onKeyDown, options)
    for (const name of events) {
      addEventListener(
        name,
        (event) => {
          event.preventDefault()
          event.stopImmediatePropagation()
          const element = elementOf(event)
          if (name === 'click' && element) take(element)
        },
        options,
      )
    }
    focus()
  }
  return {
    set(on) {
      if (on && !stop) begin()
      else if (!on) end()
    },
  }
}
