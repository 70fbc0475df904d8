'use client'

import { useCallback, useState } from 'react'
import type { CallState } from '@/lib/tool-calls/call-state'

/**
 * Whether a card is open. A finished call folds to its head, but one that ran before the reader's eyes waits with that
 * until pointer and focus have left the card, and one that shows a picture stays open: it was made to be seen. A press on
 * the head decides for good.
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
  const open = !foldable || (chosen ?? (state.status !== 'completed' || sawItRun || showsSomething(state)))
  return {
    open,
    foldable,
    toggle: () => setChosen(!open),
    unfold: useCallback(() => setChosen(true), []),
    setInside: (kind: 'focus' | 'hover', here: boolean) => setBoth((known) => ({ ...known, [kind]: here })),
  }
}

const showsSomething = (state: CallState): boolean =>
  state.status === 'completed' && state.outcome.displays.some(({ kind }) => kind !== 'text' && kind !== 'json')

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
