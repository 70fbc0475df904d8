/**
 * What is selected on the page inside of `region`, as offsets of the text whose pieces carry theirs in `data-at` and `data-to`. Null when
 * nothing is selected there. What shows something else than its text counts whole.
 */
export function selectionWithin(region: HTMLElement | null): { readonly start: number; readonly end: number } | null {
  const selection = region?.ownerDocument.getSelection() ?? null
  if (!region || !selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (!region.contains(range.commonAncestorContainer)) return null
  const pieces = [...region.querySelectorAll<HTMLElement>('[data-at]')].filter((piece) => range.intersectsNode(piece))
  const starts: number[] = []
  const ends: number[] = []
  for (const piece of pieces) {
    const at = Number(piece.dataset['at'])
    const whole = piece.dataset['whole'] !== undefined
    const from = !whole && piece.contains(range.startContainer) ? at + range.startOffset : at
    const to = !whole && piece.contains(range.endContainer) ? at + range.endOffset : Number(piece.dataset['to'])
    if (to > from) {
      starts.push(from)
      ends.push(to)
    }
  }
  const start = Math.min(...starts)
  const end = Math.max(...ends)
  return starts.length > 0 && end > start ? { start, end } : null
}
