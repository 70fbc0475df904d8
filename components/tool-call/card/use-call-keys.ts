'use client'

import type { KeyboardEvent } from 'react'
import type { CallScope } from '../scope/call-scope'
import { cardKey, focusNeighbour, pressOf, whereIn } from '../scope/card-keys'
import { keyAct, waitOf } from './key-act'

/** What only a card in the thread has: neighbours, a fold, a place in a batch. */
export interface ThreadKeys {
  /** Null: there is nothing to fold. */
  readonly fold: (() => void) | null
  readonly move: (step: -1 | 1) => void
}

/**
 * The keys of a focused call. `thread` is null where the call stands alone, in a question: there a key that is held down
 * decides nothing, as it may have been meant for what stood there before.
 */
export function useCallKeys(scope: CallScope, thread: ThreadKeys | null) {
  const { decide, refs, rights, setPanel } = scope
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (thread === null && event.repeat) return
    const key = cardKey(pressOf(event), whereIn(event.currentTarget, event.target))
    const act = key && keyAct(key, waitOf(scope.entry.state), rights)
    switch (act) {
      case null:
        return
      case 'previous':
      case 'next':
        if (thread && focusNeighbour(event.currentTarget, act)) event.preventDefault()
        return
      case 'fold':
        return thread?.fold?.()
      case 'earlier':
      case 'later':
        if (!thread) return
        event.preventDefault()
        return thread.move(act === 'earlier' ? -1 : 1)
      case 'run':
        event.preventDefault()
        if (refs.submit.current) return refs.submit.current()
        // What was not all in view is not run by a key.
        if (refs.look.current?.passes() ?? true) decide.run()
        return
      case 'deny':
        event.preventDefault()
        return decide.deny('')
      case 'edit':
        // A question is answered, not changed.
        if (refs.submit.current) return
        event.preventDefault()
        return setPanel(act)
      case 'reason':
        event.preventDefault()
        return setPanel(act)
      case 'keep-changes':
      case 'discard-changes':
        event.preventDefault()
        return decide.answerReview(act === 'keep-changes' ? 'keep' : 'discard')
      case 'send-result':
        event.preventDefault()
        return refs.gate.current?.send()
      case 'keep-result':
        event.preventDefault()
        return refs.gate.current?.keep()
    }
  }
}
