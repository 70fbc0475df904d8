'use client'

import { useCallback, useRef, useState, useEffect } from 'react'
import { useTools } from '@/components/context/tools-context'
import { onlyByClick } from '@/lib/shared/calls/click-reasons'
import { isLoudInBatch } from '@/lib/shared/origin/branch-origin'
import { type EvidenceKeys, isAsked, isReviewing } from './call-scope'
import { type CallEntry, useMessageCalls, useNextMessage } from './use-message-calls'
import { useConversation } from '@/components/context/chat-context'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import { isUnexplained, REASON_MS } from '@/lib/shared/calls/call-state'
import { needsDecision, type MessageCall } from '@/lib/shared/calls/message-calls'

/** Decides the waiting calls of one reply together. */
export interface Batch {
  /** The waiting calls in the order in which they would run. */
  readonly order: readonly CallEntry[]
  /** The calls that "Run all" runs. */
  readonly runnable: readonly CallEntry[]
  /** The calls that need their own click. */
  readonly leftOut: readonly CallEntry[]
  /** The calls that ask the user something: each is answered separately. */
  readonly questions: readonly CallEntry[]
  readonly selecting: boolean
  readonly selected: readonly CallEntry[]
  /** The last failed call while others still wait: a batch stopped there, or the user runs them one by one. */
  readonly failed: CallEntry | null
  readonly runs: RunsOfReply
  readonly setSelecting: (selecting: boolean) => void
  readonly select: (slot: number, selected: boolean) => void
  /** Moves a call in the order; false at its end. */
  readonly move: (slot: number, step: -1 | 1) => boolean
  /** Registers how to check whether a card was seen. Returns a function that unregisters it. */
  readonly watch: (slot: number, look: () => EvidenceKeys | null) => () => void
  /**
   * How many of these cards have collapsed parts: opens them, and scrolls to the first. 0 once nothing is collapsed.
   */
  readonly openUnseen: (slots: readonly number[]) => number
}

export interface RunsOfReply {
  /** Calls of the reply that may still run. */
  readonly left: number
  /** The most calls of one reply that may run in this chat. */
  readonly limit: number
}

export function useBatch(entries: readonly CallEntry[], runs: RunsOfReply): Batch {
  const tools = useTools()
  const asks = ({ call }: CallEntry): boolean => tools.get(call.name)?.policy.asksUser === true
  /** A guessed call, one that only a foreign text requested, and a repeated one are reviewed one by one. */
  const mayRun = (entry: CallEntry): boolean => !onlyByClick(entry, entry.repeats, isLoudInBatch(entry.origin))
  const runsInBatch = (entry: CallEntry): boolean => !asks(entry) && entry.origin !== undefined && mayRun(entry)
  const [slots, setSlots] = useState<readonly number[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null)
  const waiting = entries.filter((entry) => entry.state.status === 'awaiting_approval' && !entry.pastLimit)
  const place = (entry: CallEntry) => {
    const at = slots.indexOf(entry.slot)
    return at < 0 ? slots.length + waiting.indexOf(entry) : at
  }
  const order = waiting.toSorted((a, b) => place(a) - place(b))
  const busy = entries.some(({ state }) => state.status === 'executing' || state.status === 'queued')
  const failed = entries.findLast(({ state }) => state.status === 'error' && !state.posted) ?? null

  const looks = useRef(new Map<number, () => EvidenceKeys | null>())
  const opened = useRef(new Set<number>())
  const watch = useCallback<Batch['watch']>((slot, look) => {
    looks.current.set(slot, look)
    return () => {
      looks.current.delete(slot)
    }
  }, [])
  const openUnseen = (wanted: readonly number[]): number => {
    const unseen = wanted.filter((slot) => {
      const keys = looks.current.get(slot)?.()
      return keys?.isFolded() && !opened.current.has(slot)
    })
    // The first one last, so that it is the one in view.
    for (const slot of unseen.toReversed()) {
      looks.current.get(slot)?.()?.open()
      opened.current.add(slot)
    }
    return unseen.length
  }

  return {
    watch,
    openUnseen,
    runs,
    order,
    runnable: order.filter(runsInBatch),
    leftOut: order.filter((entry) => !asks(entry) && !mayRun(entry)),
    questions: order.filter(asks),
    selecting: chosen !== null && waiting.length > 1,
    selected: order.filter((entry) => chosen?.has(entry.slot) && !asks(entry)),
    failed: busy || waiting.length === 0 ? null : failed,
    setSelecting: (selecting) =>
      setChosen(selecting ? new Set(order.filter(runsInBatch).map(({ slot }) => slot)) : null),
    select: (slot, selected) =>
      setChosen((known) => {
        const next = new Set(known)
        if (selected) next.add(slot)
        else next.delete(slot)
        return next
      }),
    move(slot, step) {
      const now = order.map((entry) => entry.slot)
      const at = now.indexOf(slot)
      const to = at + step
      const other = now[to]
      if (at < 0 || other === undefined) return false
      setSlots(now.with(at, other).with(to, slot))
      return true
    },
  }
}

/** Everything that the cards of one reply share. */
export interface MessageCallsView {
  readonly entries: readonly CallEntry[]
  readonly waiting: readonly CallEntry[]
  readonly batch: Batch
  readonly timeoutMs: number
  /** The card for keys and attention: the focused one, else the one under the pointer, else the first waiting one. */
  readonly currentSlot: number | null
  /** The batch bar is shown. */
  readonly hasBatch: boolean
  /** The batch button is primary, and no card's button is. */
  readonly batchLeads: boolean
  /** Calls can be edited, used or sent back: the reply is the last message, and nothing is being written. */
  readonly canAsk: boolean
  /** The user sent another message after the reply. */
  readonly overtaken: boolean
  /** No call of the reply is open, so an unrunnable call may be reported by itself. */
  readonly canReport: boolean
  /** Settled, but not sent to the model; `problem` if the server gave a reason. */
  readonly unsent: { readonly slot: number; readonly problem: string | null } | null
  /** Everything is settled, but still held here. */
  readonly isHeld: boolean
  readonly attend: (kind: 'focus' | 'hover', slot: number, here: boolean) => void
}

/** Results take a moment to send after the last call; only a longer delay is shown. */
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
  // A call that waits for a reason waits longer, and says so on its card.
  const waitsForReason = held && entries.some(({ record }) => isUnexplained(record))
  const late = useLate(held, waitsForReason ? REASON_MS + UNSENT_AFTER_MS : UNSENT_AFTER_MS)

  return {
    entries,
    waiting,
    batch,
    hasBatch,
    // Until the calls' origins are known, the layout must not change.
    batchLeads: hasBatch && (batch.selecting || batch.runnable.length > 0 || waiting.some(isUnknown)),
    timeoutMs,
    currentSlot: attended ?? asking[0]?.slot ?? null,
    canAsk: isLast && !busy,
    overtaken: next?.role === 'user' && hasText(next),
    canReport: isLast && !busy && decidable.length === 0,
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

const isUnknown = ({ origin }: CallEntry): boolean => origin === undefined

/** A call or a result that waits for the user. */
const isAsking = ({ state }: CallEntry): boolean =>
  state.status === 'awaiting_approval' ||
  state.status === 'awaiting_result_approval' ||
  isReviewing(state) ||
  isAsked(state)

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
