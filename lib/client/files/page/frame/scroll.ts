import type { PageScroll } from '../page-messages'

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

/** Puts a page that was loaded anew where it was, or at the place that its address names. */
export function restoreScroll(scroll: PageScroll | null, hash: string): void {
  const go = () => {
    if (scroll !== null) scrollTo({ left: scroll.x, top: scroll.y, behavior: 'instant' })
    else if (hash !== '') location.replace(hash)
  }
  go()
  // Pictures and scripts may still make room for it.
  addEventListener('load', () => requestAnimationFrame(go), { once: true })
}
