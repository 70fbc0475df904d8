'use client'

import type { CallState } from '@/lib/shared/calls/call-state'
import { type CallRights, isAsked, isAskingForTools, isReviewing, type CallScope } from '../scope/call-scope'
import { type CardKey, cardKey, focusNeighbour, pressOf, keyOriginIn } from '../scope/card-keys'
import { useCallback, useEffect, useRef, type FocusEvent, type RefObject, type KeyboardEvent } from 'react'

/** What a call waits for. `nothing`: it runs, it is over, or it can't run. */
export type CallWait = 'run' | 'changes' | 'question' | 'inner' | 'result' | 'nothing'

export function waitOf(state: CallState): CallWait {
  if (isReviewing(state)) return 'changes'
  if (isAsked(state)) return 'question'
  // Each tool that the code calls has its own buttons.
  if (isAskingForTools(state)) return 'inner'
  if (state.status === 'awaiting_approval') return 'run'
  return state.status === 'awaiting_result_approval' ? 'result' : 'nothing'
}

export type KeyAct =
  | 'run'
  | 'deny'
  | 'edit'
  | 'reason'
  | 'keep-changes'
  | 'discard-changes'
  | 'answer-question'
  | 'send-result'
  | 'keep-result'
  | 'fold'
  | 'previous'
  | 'next'
  | 'earlier'
  | 'later'

/** The action of a key on a call; null leaves the key to others. */
export function keyAct(key: CardKey, wait: CallWait, rights: CallRights): KeyAct | null {
  switch (key) {
    case 'run':
      return runActs[wait]
    case 'deny':
      return denyActs[wait] ?? (rights.deny ? 'deny' : null)
    case 'edit':
      return wait === 'run' || rights.edit ? 'edit' : null
    case 'reason':
      return wait === 'run' || rights.deny || rights.reason ? 'reason' : null
    case 'earlier':
    case 'later':
      return wait === 'run' ? key : null
    case 'fold':
    case 'previous':
    case 'next':
      return key
  }
}

const runActs = {
  run: 'run',
  changes: 'keep-changes',
  question: 'answer-question',
  inner: null,
  result: 'send-result',
  nothing: null,
} as const
const denyActs = {
  run: 'deny',
  changes: 'discard-changes',
  question: null,
  inner: null,
  result: 'keep-result',
  nothing: null,
} as const

export interface CallFocus {
  /** The ref for the card's element. */
  readonly card: RefObject<HTMLDivElement | null>
  /** Moves the focus to the card before its button disappears with the state. */
  readonly keep: () => void
  /** Listeners for the card's element: report pointer and focus entering and leaving. */
  readonly listeners: {
    readonly onFocus: () => void
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void
    readonly onPointerEnter: () => void
    readonly onPointerLeave: () => void
  }
}

/** `takes`: the card replaces one whose button was just pressed, and takes its focus. */
export function useCallFocus(takes: boolean, onInside: (kind: 'focus' | 'hover', here: boolean) => void): CallFocus {
  const card = useRef<HTMLDivElement>(null)
  const first = useRef(takes)
  const keep = useCallback(() => card.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (first.current) keep()
    first.current = false
  }, [keep])
  return {
    card,
    keep,
    listeners: {
      onFocus: () => onInside('focus', true),
      onBlur: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onInside('focus', false)
      },
      onPointerEnter: () => onInside('hover', true),
      onPointerLeave: () => onInside('hover', false),
    },
  }
}

/** What only a card in the thread has: neighbors, collapsing, a position in a batch. */
export interface ThreadKeys {
  /** Null if there is nothing to collapse. */
  readonly fold: (() => void) | null
  readonly move: (step: -1 | 1) => void
}

/**
 * The keys of a focused call. `thread` is null in a question dialog: there a held key decides nothing, because it may
 * have been meant for the previous content.
 */
export function useCallKeys(scope: CallScope, thread: ThreadKeys | null) {
  const { decide, refs, rights, setPanel } = scope
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (thread === null && event.repeat) return
    const key = cardKey(pressOf(event), keyOriginIn(event.currentTarget, event.target))
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
        // A key does not run what was not fully in view.
        if (refs.look.current?.passes() ?? true) decide.run()
        return
      case 'deny':
        event.preventDefault()
        return decide.deny('')
      case 'edit':
        // A question is answered, not edited.
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
      case 'answer-question':
        event.preventDefault()
        return refs.submit.current?.()
      case 'send-result':
        event.preventDefault()
        return refs.resultKeys.current?.send()
      case 'keep-result':
        event.preventDefault()
        return refs.resultKeys.current?.keep()
    }
  }
}
