'use client'

import { t } from '@/lib/i18n/t'
import { useEffect, useMemo, useState } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { useMessagesAfter } from '@/components/context/use-older'
import { useTools } from '@/components/context/tools-context'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { replyCalls } from '@/lib/client/state/parsed-reply'
import { callKey } from '@/lib/client/state/state'
import { REASON_MS, isUnexplained, type LiveCall } from '@/lib/shared/calls/call-state'
import { repeatsIn } from '@/lib/shared/calls/click-reasons'
import { deriveCallState } from '@/lib/shared/calls/derive-call-state'
import { needsDecision, remainingRuns, type MessageCall } from '@/lib/shared/calls/message-calls'
import { useOrigins } from './use-origins'
import { useToolConfig } from './use-tool-config'
import { hasText } from '@/lib/shared/conversation/outline'
import { type CallEntry, isReviewing, isAsked } from './call-scope'
import { type Batch, useBatch } from './use-batch'

/** The next message in the shown branch. A reply is shown once that one is loaded too. */
function useNextMessage(messageId: string): Message | undefined {
  return useConversation((view) => {
    const at = view.path.findLastIndex((row) => row.id === messageId)
    const next = at < 0 ? undefined : view.path[at + 1]
    return isHere(next) ? next : undefined
  })
}

/** The states of a message's calls, in slot order, and how many of them may still run. */
function useMessageCalls(
  message: AssistantMessage,
  calls: readonly MessageCall[],
): { readonly entries: readonly CallEntry[]; readonly left: number; readonly limit: number } {
  const records = useConversation((view) => view.calls)
  const lives = useConversation((view) => view.live)
  const next = useNextMessage(message.id)
  const late = useLateOutcomes(message.id, calls, next)
  const runners = useRunners(message.id, calls, records, lives)
  const repeats = useRepeats(message, calls, next === undefined)
  const marks = useOrigins(message.id)
  const limit = useToolConfig().maxCallsPerReply
  const left = remainingRuns(calls, (slot) => records.get(callKey(message.id, slot)), limit)
  const entries = calls.map((call): CallEntry => {
    const key = callKey(message.id, call.slot)
    const live = lives.get(key)
    const record = records.get(key)
    const state = deriveCallState({
      reply: message.outcome,
      runnable: call.runnable,
      unknownTool: call.call.problem?.code === 'unknown-tool',
      record,
      live,
      runner: runners.get(call.slot) ?? 'unknown',
      posted: next?.role === 'user' && next.results.some((result) => result.slot === call.slot),
      overtaken: next?.role === 'user',
    })
    const pastLimit = left === 0 && record === undefined && state.status === 'awaiting_approval'
    return {
      ...call,
      state,
      record,
      live,
      repeats: repeats.get(call.slot) ?? 1,
      origin: marks === null ? undefined : (marks.get(call.slot) ?? null),
      pastLimit,
      overLimit: null,
      sentAsUnfinished: wasUnfinished(next, call.slot) ? { late: late.includes(call.slot) } : null,
      problem: live?.problem ?? (pastLimit ? t('calls.limit', { limit }) : null),
    }
  })
  return { entries, left, limit }
}

const wasUnfinished = (next: Message | undefined, slot: number): boolean =>
  next?.role === 'user' && next.results.some((result) => result.slot === slot && result.status === 'unfinished')

/** Slots of calls whose outcome the model learned with a later message of the branch. */
function useLateOutcomes(
  messageId: string,
  calls: readonly MessageCall[],
  next: Message | undefined,
): readonly number[] {
  const after = useMessagesAfter(
    messageId,
    calls.some(({ slot }) => wasUnfinished(next, slot)),
  )
  return useMemo(
    () =>
      after.flatMap((message) =>
        message.role === 'user'
          ? (message.late ?? []).flatMap((one) => (one.messageId === messageId ? [one.slot] : []))
          : [],
      ),
    [after, messageId],
  )
}

const none: readonly ChatRow[] = []

/** How often each call was requested. Only the last message's calls can wait, so others aren't counted. */
function useRepeats(
  message: AssistantMessage,
  calls: readonly MessageCall[],
  wanted: boolean,
): ReadonlyMap<number, number> {
  const path = useConversation((view) => (wanted ? view.path : none))
  const amendments = useConversation((view) => view.amendments)
  const config = useToolConfig()
  const tools = useTools()
  return useMemo(
    () =>
      repeatsIn(
        path,
        (reply) => (reply.id === message.id ? calls : replyCalls(reply, config, amendments.get(reply.id) ?? [], tools)),
        message.id,
      ),
    [path, amendments, config, tools, message.id, calls],
  )
}

/** Whether started calls without an outcome, which don't run in this tab, run elsewhere: slot → held or free. */
function useRunners(
  messageId: string,
  calls: readonly MessageCall[],
  records: ReadonlyMap<string, CallRecord>,
  lives: ReadonlyMap<string, LiveCall>,
): ReadonlyMap<number, 'held' | 'free'> {
  const actions = useCallActions()
  const [runners, setRunners] = useState<ReadonlyMap<number, 'held' | 'free'>>(new Map())
  const watched = calls
    .flatMap(({ slot }) => {
      const record = records.get(callKey(messageId, slot))
      const unknown = record?.decision === 'run' && !record.outcome && !lives.has(callKey(messageId, slot))
      return unknown ? [`${slot}#${record.attempt}`] : []
    })
    .join(' ')
  const slots = useMemo(() => (watched === '' ? [] : watched.split(' ').map(Number.parseFloat)), [watched])
  useEffect(() => {
    const stops = slots.map((slot) =>
      actions.watchRunner(messageId, slot, (held) => {
        setRunners((known) => new Map(known).set(slot, held ? 'held' : 'free'))
      }),
    )
    return () => {
      for (const stop of stops) stop()
      setRunners(new Map())
    }
  }, [messageId, slots, actions])
  return runners
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
