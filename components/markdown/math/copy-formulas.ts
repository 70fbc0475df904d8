/*
 * A selection that holds formulas is copied with their LaTeX, marks and all: what is drawn holds each letter twice, once to be
 * seen and once to be heard.
 */

const formula = '[data-formula]'
let watched = false

/** Once for the page; there is nothing to take back: without formulas in a selection it does nothing. */
export function copyFormulasAsWritten(): void {
  if (watched) return
  watched = true
  document.addEventListener('copy', onCopy)
}

function onCopy(event: ClipboardEvent): void {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || !event.clipboardData || event.defaultPrevented) return
  const text = selectedText(selection)
  if (text === null) return
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
}

/** The selected words with formulas as they were written; null: there are none in it. */
export function selectedText(selection: Selection): string | null {
  const parts = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index).cloneRange())
  const holder = document.createElement('div')
  for (const range of parts) {
    // Half of a formula says nothing: a selection that begins or ends within one takes all of it.
    const first = closest(range.startContainer)
    const last = closest(range.endContainer)
    if (first) range.setStartBefore(first)
    if (last) range.setEndAfter(last)
    holder.append(range.cloneContents())
  }
  const formulas = holder.querySelectorAll<HTMLElement>(formula)
  if (formulas.length === 0) return null
  for (const each of formulas) {
    const written = each.dataset['written'] ?? ''
    each.replaceWith(each.dataset['formula'] === 'display' ? `\n${written}\n` : written)
  }
  return laidOut(holder)
}

const closest = (node: Node): Element | null =>
  (node instanceof Element ? node : node.parentElement)?.closest(formula) ?? null

/** As the browser would copy it, with its line ends: only what is laid out has any. */
function laidOut(holder: HTMLElement): string {
  holder.style.cssText = 'position:fixed;top:0;opacity:0;pointer-events:none;white-space:pre-wrap'
  holder.setAttribute('aria-hidden', 'true')
  document.body.append(holder)
  const text = holder.innerText
  holder.remove()
  return text
}
