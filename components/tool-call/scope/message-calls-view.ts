'use client'

import { useEffect, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import { isUnexplained, REASON_MS } from '@/lib/shared/calls/call-state'
import { needsDecision, type MessageCall } from '@/lib/shared/calls/message-calls'
import { isReviewing } from './call-scope'
import { useBatch, type Batch } from './use-batch'
import { useMessageCalls, useNextMessage, type CallEntry } from './use-message-calls'

/** Everything that the cards of one reply share. */
export interface MessageCallsView {
  readonly entries: readonly CallEntry[]
  readonly waiting: readonly CallEntry[]
  readonly batch: Batch
  readonly timeoutMs: number
  /** The card that keys and the eye are on: the focused one, else the one under the pointer, else the first that waits. */
  readonly currentSlot: number | null
  /** The line over the cards is there. */
  readonly hasBatch: boolean
  /** Its button is the filled one, and none of a card is. */
  readonly batchLeads: boolean
  /** Calls can be changed, lifted or sent back: the reply is the last message, and nothing is being written. */
  readonly canAsk: boolean
  /** The user wrote something else after the reply. */
  readonly overtaken: boolean
  /** Nothing of the reply is open, so a call that can't run may be told by itself. */
  readonly canTell: boolean
  /** Settled, and not with the model; `problem` when the server said why. */
  readonly unsent: { readonly slot: number; readonly problem: string | null } | null
  /** All is settled, and stands here still. */
  readonly isHeld: boolean
  readonly attend: (kind: 'focus' | 'hover', slot: number, here: boolean) => void
}

/** Results are on their way for a moment after the last call; only longer than this is worth a word. */
const UNSENT_AFTER_MS = 2500

export function useMessageCallsView(message: AssistantMessage, calls: readonly MessageCall[]): MessageCallsView {
  const { entries: all, left, limit } = useMessageCalls(message, calls)
  const next = useNextMessage(message.id)
  const busy = useConversation((view) => view.run !== null || view.sending)
  const timeoutMs = useConversation((view) => view.conversation?.settings.tools.timeoutMs ?? 30_000)
  const [attention, setAttention] = useState<Readonly<Record<'focus' | 'hover', number | null>>>({
    focus: null,
    hover: null,
  })
  const batch = useBatch(all, { left, limit })
  const beyond = new Set(batch.order.slice(left).map(({ slot }) => slot))
  const entries = all.map((entry) => (beyond.has(entry.slot) ? { ...entry, overLimit: { limit, ahead: left } } : entry))
  const waiting = entries.filter((entry) => entry.state.status === 'awaiting_approval' && !entry.pastLimit)
  const hasBatch = waiting.length > 1 || batch.failed !== null
  const asking = entries.filter(isAsking)
  const isWaiting = (slot: number | null) => asking.some((entry) => entry.slot === slot)
  const attended = [attention.focus, attention.hover].find(isWaiting)
  const decidable = entries.filter((entry) => needsDecision(entry) || entry.record !== undefined)
  const settled = decidable.every((entry) => isSettled(entry) || entry.pastLimit)
  const isLast = next === undefined && message.outcome === 'finished'
  const held = isLast && !busy && settled && decidable.length > 0 && !decidable.some(isPosted)
  const problem = useConversation((view) => view.heldBack.get(message.id) ?? null)
  const last = decidable.at(-1)
  // What waits for a reason waits longer, and says so on its card.
  const waitsForReason = held && entries.some(({ record }) => isUnexplained(record))
  const late = useLate(held, waitsForReason ? REASON_MS + UNSENT_AFTER_MS : UNSENT_AFTER_MS)

  return {
    entries,
    waiting,
    batch,
    hasBatch,
    batchLeads: hasBatch && (batch.selecting || batch.runnable.length > 0),
    timeoutMs,
    currentSlot: attended ?? asking[0]?.slot ?? null,
    canAsk: isLast && !busy,
    overtaken: next?.role === 'user' && hasText(next),
    canTell: isLast && !busy && decidable.length === 0,
    isHeld: held,
    unsent: held && last && (late || problem !== null) ? { slot: last.slot, problem } : null,
    attend: (kind, slot, here) =>
      setAttention((known) => {
        if (here) return known[kind] === slot ? known : { ...known, [kind]: slot }
        return known[kind] === slot ? { ...known, [kind]: null } : known
      }),
  }
}

function isSettled({ state }: CallEntry): boolean {
  switch (state.status) {
    case 'completed':
    case 'error':
    case 'execution_rejected':
    case 'result_rejected':
    case 'skipped':
      return true
    case 'cancelled':
    case 'interrupted':
      return state.settled
    default:
      return false
  }
}

/** A call or a result that waits for the user. */
const isAsking = ({ state }: CallEntry): boolean =>
  state.status === 'awaiting_approval' || state.status === 'awaiting_result_approval' || isReviewing(state)

const isPosted = ({ state }: CallEntry): boolean => 'posted' in state && state.posted

function useLate(held: boolean, afterMs: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!held) return
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [held, afterMs])
  return late
}
