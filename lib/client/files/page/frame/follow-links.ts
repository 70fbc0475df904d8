import { isOwnAddress } from '../page-address'
import type { PageScroll } from '../page-messages'

type Say = (message: object) => void

/**
 * Reports pressed links and sent forms that the page does not handle itself. Neither navigates: the chat around the
 * page decides what is shown then.
 */
export function followLinks(say: Say): void {
  // The middle button and modifier keys ask for another tab, which a sealed page can't open: they count as ordinary
  // presses.
  for (const type of ['click', 'auxclick']) followPresses(type, say)
  addEventListener('submit', (event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    if (send(form, event.submitter)) event.preventDefault()
  })
  HTMLFormElement.prototype.submit = function () {
    send(this, null)
  }

  /** Returns false if it is left to the browser, which closes a dialog by it. */
  function send(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
    const attribute = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name)
    const method = (attribute('method') ?? 'get').toLowerCase()
    if (method === 'dialog') return false
    const address = attribute('action') ?? ''
    if (method === 'post') say({ type: 'form', address })
    else {
      const fields = new URLSearchParams()
      for (const [name, value] of new FormData(form, submitter)) {
        fields.append(name, typeof value === 'string' ? value : value.name)
      }
      const [page = ''] = address.split(/[?#]/)
      say({ type: 'link', address: completed(`${page}?${fields}`) })
    }
    return true
  }
}

function followPresses(type: string, say: Say): void {
  addEventListener(
    type,
    (event) => {
      if (event instanceof MouseEvent && event.button > 1) return
      const link = event.composedPath().find(isLink)
      const address = link?.getAttribute('href') ?? link?.getAttribute('xlink:href') ?? null
      if (link === undefined || address === null || leadsNowhere(address)) return
      // The link's own listeners have run by now; listeners further up may still handle the press.
      const onLink = (pressed: Event) => {
        if (pressed.defaultPrevented) return
        pressed.preventDefault()
        let isSeenTo = false
        Object.defineProperties(pressed, {
          preventDefault: { value: () => void (isSeenTo = true) },
          defaultPrevented: { get: () => isSeenTo },
        })
        setTimeout(() => {
          if (!isSeenTo) say({ type: 'link', address: completed(address) })
        })
      }
      link.addEventListener(type, onLink, { once: true })
    },
    true,
  )
}

const isLink = (target: EventTarget): target is Element =>
  target instanceof Element && target.matches('a[href], area[href], a[*|href]')

/** An address in the page itself, or one that contains its own data. */
const leadsNowhere = (address: string): boolean => address.trim() !== '' && isOwnAddress(address)

/** Percent-encoded characters survive a message: file names may contain any. */
const completed = (address: string): string =>
  address
    .trim()
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)

const everyMs = 250

/** Reports the page's scroll position, now and then while it scrolls. */
export function reportScroll(say: (message: object) => void): void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const tell = () => {
    timer = null
    say({ type: 'scroll', x: scrollX, y: scrollY })
  }
  addEventListener('scroll', () => {
    timer ??= setTimeout(tell, everyMs)
  })
}

/** Scrolls a reloaded page to its earlier position, or to the place that its address names. */
export function restoreScroll(scroll: PageScroll | null, hash: string): void {
  const go = () => {
    if (scroll !== null) scrollTo({ left: scroll.x, top: scroll.y, behavior: 'instant' })
    else if (hash !== '') location.replace(hash)
  }
  go()
  // Images and scripts may still change the layout.
  addEventListener('load', () => requestAnimationFrame(go), { once: true })
}
