'use client'

import { useCallback, useState } from 'react'
import type { CallState } from '@/lib/tool-calls/call-state'

/**
 * Whether a card is open. A finished call folds to its head, but one that ran before the reader's eyes waits with that
 * until pointer and focus have left the card; a press on the head decides for good.
 */
export function useFold(state: CallState) {
  const [inside, setBoth] = useState({ focus: false, hover: false })
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [sawItRun, setSawItRun] = useState(false)
  const running = state.status === 'executing' && state.here
  if (running && !sawItRun) setSawItRun(true)
  const attended = inside.focus || inside.hover
  if (sawItRun && isFoldable(state) && !attended) setSawItRun(false)

  const foldable = isFoldable(state)
  const open = !foldable || (chosen ?? (state.status !== 'completed' || sawItRun))
  return {
    open,
    foldable,
    toggle: () => setChosen(!open),
    unfold: useCallback(() => setChosen(true), []),
    setInside: (kind: 'focus' | 'hover', here: boolean) => setBoth((known) => ({ ...known, [kind]: here })),
  }
}

function isFoldable(state: CallState): boolean {
  switch (state.status) {
    case 'completed':
    case 'error':
    case 'execution_rejected':
    case 'skipped':
      return true
    case 'cancelled':
    case 'interrupted':
      return state.settled
    default:
      return false
  }
}
