import { isOwnAddress } from '../page-address'
import type { PageScroll } from '../page-messages'

type Say = (message: object) => void

/**
 * Tells of links that are pressed and forms that are sent, where the page does not see to it by itself. Neither leads anywhere from
 * here: the chat around the page decides what is shown then.
 */
export function followLinks(say: Say): void {
  // The middle button and keys held down ask for another tab, which a page of this seal can't have: they are presses like others.
  for (const type of ['click', 'auxclick']) followPresses(type, say)
  addEventListener('submit', (event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    if (send(form, event.submitter)) event.preventDefault()
  })
  HTMLFormElement.prototype.submit = function () {
    send(this, null)
  }

  /** False: it is left to the browser, which closes a dialog by it. */
  function send(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
    const said = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name)
    const method = (said('method') ?? 'get').toLowerCase()
    if (method === 'dialog') return false
    const address = said('action') ?? ''
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
      // What the link itself does with it was heard by now; what hears it further up may still see to it.
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

/** A place in the page itself, or what carries its own meaning. */
const leadsNowhere = (address: string): boolean => address.trim() !== '' && isOwnAddress(address)

/** In signs that survive a message: names of files may hold any. */
const completed = (address: string): string =>
  address
    .trim()
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)

const everyMs = 250

/** Tells where the page is scrolled to, now and then while it is. */
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

/** Puts a page that was loaded again where it was, or at the place that its address names. */
export function restoreScroll(scroll: PageScroll | null, hash: string): void {
  const go = () => {
    if (scroll !== null) scrollTo({ left: scroll.x, top: scroll.y, behavior: 'instant' })
    else if (hash !== '') location.replace(hash)
  }
  go()
  // Pictures and scripts may still make room for it.
  addEventListener('load', () => requestAnimationFrame(go), { once: true })
}
