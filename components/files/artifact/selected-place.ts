import { linesOfSelection, type QuotedText } from '@/lib/workspace/artifact/quote'

/** What is selected inside of `box`, with its lines in `source` as far as they can be told. */
export function selectedPlace(box: HTMLElement | null, source: string): QuotedText {
  const selection = window.getSelection()
  const nothing: QuotedText = { lines: null, text: '' }
  if (!box || !selection || selection.isCollapsed || selection.rangeCount === 0) return nothing
  const range = selection.getRangeAt(0)
  if (!box.contains(range.commonAncestorContainer)) return nothing
  const text = String(selection)
  return { lines: numberedLines(range) ?? linesOfSelection(source, text), text: withoutNumbers(range, text) }
}

/** Where code stands with its line numbers, they say it. */
function numberedLines(range: Range): QuotedText['lines'] {
  const [first, last] = [lineAt(range.startContainer), lineAt(range.endContainer)]
  return first === null || last === null ? null : [first, last]
}

function lineAt(node: Node): number | null {
  const element = node instanceof Element ? node : node.parentElement
  const number = Number(element?.closest('[data-line]')?.querySelector('[data-number]')?.textContent ?? '')
  return Number.isInteger(number) && number > 0 ? number : null
}

/** A selection over lines of code reads as their texts, whatever the browser makes of the columns beside them. */
function withoutNumbers(range: Range, text: string): string {
  if (numberedLines(range) === null) return text
  const copy = range.cloneContents()
  const rows = [...copy.querySelectorAll('[data-line]')]
  if (rows.length === 0) return text
  return rows.map((row) => row.lastElementChild?.textContent ?? '').join('\n')
}
