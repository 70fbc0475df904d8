'use client'

import { t } from '@/lib/i18n/t'
import { useEffect, useMemo, useState } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { useMessagesAfter } from '@/components/context/use-older'
import { useTools } from '@/components/context/tools-context'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { replyCalls } from '@/lib/client/state/turn'
import { callKey } from '@/lib/client/state/state'
import type { CallState, LiveCall } from '@/lib/shared/calls/call-state'
import { repeatsIn } from '@/lib/shared/calls/click-reasons'
import type { CallMark } from '@/lib/shared/origin/branch-origin'
import { deriveCallState } from '@/lib/shared/calls/derive-call-state'
import { remainingRuns, type MessageCall } from '@/lib/shared/calls/message-calls'
import { useOrigins } from './use-origins'
import { useToolConfig } from './use-tool-config'

/** A live call with everything on its card. */
export interface CallEntry extends MessageCall {
  readonly state: CallState
  readonly record: CallRecord | undefined
  readonly live: LiveCall | undefined
  /** How often this exact call was requested since the user's last message; 1 at first. */
  readonly repeats: number
  /** Its origin; null if it needs no note, undefined if unknown yet. */
  readonly origin: CallMark | null | undefined
  /** It can't run: the reply's limit of calls is reached. */
  readonly pastLimit: boolean
  /** More calls wait than may still run, and this one is beyond the limit; null if it may run. */
  readonly overLimit: OverLimit | null
  /** The model got this call as unfinished; `late`: a later message sent it the outcome, too. */
  readonly sentAsUnfinished: { readonly late: boolean } | null
  /** What blocks this call, as a sentence. */
  readonly problem: string | null
}

export interface OverLimit {
  /** The most calls of one reply that may run in this chat. */
  readonly limit: number
  /** Earlier calls that would use up what is left. */
  readonly ahead: number
}

/** The next message in the shown branch. A reply is shown once that one is loaded too. */
export function useNextMessage(messageId: string): Message | undefined {
  return useConversation((view) => {
    const at = view.path.findLastIndex((row) => row.id === messageId)
    const next = at < 0 ? undefined : view.path[at + 1]
    return isHere(next) ? next : undefined
  })
}

/** The states of a message's calls, in slot order, and how many of them may still run. */
export function useMessageCalls(
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
