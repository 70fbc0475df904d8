const signs = ['pointermove', 'pointerdown', 'keydown'] as const

let isHere = false

/**
 * Begins `task` at the first sign that someone is at the page, at once when there was one: what nobody needs before does
 * not take the line from what the page itself is made of. Gives the way to call it off.
 */
export function onFirstInteraction(task: () => void): () => void {
  if (isHere) {
    task()
    return () => {}
  }
  const waiting = new AbortController()
  const begin = () => {
    isHere = true
    waiting.abort()
    task()
  }
  for (const sign of signs) {
    window.addEventListener(sign, begin, { signal: waiting.signal, capture: true, passive: true })
  }
  return () => waiting.abort()
}

/** For tests: as a page that was just opened. */
export function forgetInteraction(): void {
  isHere = false
}
