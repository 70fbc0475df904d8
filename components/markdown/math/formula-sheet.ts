import { builtFile } from '@/lib/base/base-path'
import { katexSheet } from './katex-files'

/*
 * KaTeX's style sheet, asked for by the first formula that is drawn. Without it what is drawn is a heap of letters: until it is
 * here, and where it does not come, formulas show as they were written.
 */

let state: 'unasked' | 'asked' | 'here' = 'unasked'
const listeners = new Set<() => void>()

export const isSheetHere = (): boolean => state === 'here'

export function watchSheet(listener: () => void): () => void {
  listeners.add(listener)
  if (state === 'unasked') ask()
  return () => void listeners.delete(listener)
}

function ask(): void {
  state = 'asked'
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = builtFile(`/${katexSheet}`)
  link.addEventListener('load', () => {
    state = 'here'
    for (const listener of listeners) listener()
  })
  link.addEventListener('error', () => {
    link.remove()
    // Asked for again by the next formula.
    state = 'unasked'
  })
  document.head.append(link)
}
