/*
 * Copies a selection with formulas as LaTeX including its marks. The rendered formula has each letter twice: once
 * visible and once for screen readers.
 */

const formula = '[data-formula]'
let watched = false

/**
 * Installs the handler once per page. It never has to be removed, because it does nothing without formulas in the
 * selection.
 */
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

/** The selected text with formulas as they were written; null if it has none. */
export function selectedText(selection: Selection): string | null {
  const parts = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index).cloneRange())
  const holder = document.createElement('div')
  for (const range of parts) {
    // A selection that starts or ends inside a formula includes all of it, because half a formula is meaningless.
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

/** The text as the browser would copy it, with line breaks, which only laid-out elements have. */
function laidOut(holder: HTMLElement): string {
  holder.style.cssText = 'position:fixed;top:0;opacity:0;pointer-events:none;white-space:pre-wrap'
  holder.setAttribute('aria-hidden', 'true')
  document.body.append(holder)
  const text = holder.innerText
  holder.remove()
  return text
}
