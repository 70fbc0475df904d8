'use client'

import { useCallback, useEffect, useState } from 'react'
import type { CallState } from '@/lib/calls/call-state'
import { isPicture } from '../evidence/result-view'

/**
 * Whether a card is open. A finished call folds to its head, but one that ran before the reader's eyes waits with that
 * until pointer and focus have left the card. One that shows a picture stays open, as it was made to be seen, and so does
 * one that shows what it changed in files (`showsChange`), while its turn lasts. A press on the head decides for good.
 */
export function useFold(state: CallState, showsChange: boolean) {
  const [inside, setBoth] = useState({ focus: false, hover: false })
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [sawItRun, setSawItRun] = useState(false)
  const running = state.status === 'executing' && state.here
  if (running && !sawItRun) setSawItRun(true)
  const pressing = usePressing(sawItRun)
  const attended = inside.focus || inside.hover || pressing
  if (sawItRun && isFoldable(state) && !attended) setSawItRun(false)

  const foldable = isFoldable(state)
  const staysOpen = state.status !== 'completed' || sawItRun || showsSomething(state) || showsChange
  const open = !foldable || (chosen ?? staysOpen)
  return {
    open,
    foldable,
    toggle: () => setChosen(!open),
    unfold: useCallback(() => setChosen(true), []),
    setInside: (kind: 'focus' | 'hover', here: boolean) => setBoth((known) => ({ ...known, [kind]: here })),
  }
}

/**
 * True from a press to the end of its click, anywhere on the page. Pressing a button takes the focus out of the card
 * above; were that to fold at once, the button would be gone from under the pointer before the click came.
 */
function usePressing(watching: boolean): boolean {
  const [pressing, setPressing] = useState(false)
  useEffect(() => {
    if (!watching) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = () => {
      clearTimeout(timer)
      setPressing(true)
    }
    // The click comes right after the pointer is up, in the same task.
    const release = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setPressing(false))
    }
    document.addEventListener('pointerdown', press, true)
    document.addEventListener('pointerup', release, true)
    document.addEventListener('pointercancel', release, true)
    return () => {
      document.removeEventListener('pointerdown', press, true)
      document.removeEventListener('pointerup', release, true)
      document.removeEventListener('pointercancel', release, true)
      clearTimeout(timer)
      setPressing(false)
    }
  }, [watching])
  return pressing
}

const showsSomething = (state: CallState): boolean =>
  state.status === 'completed' && state.outcome.displays.some(isPicture)

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
    case 'result_rejected':
      return state.posted
    default:
      return false
  }
}
