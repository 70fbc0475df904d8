'use client'

import { useSyncExternalStore } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import type { EmptyReply, FirstWaitingCall } from '@/lib/client/state/last-reply'
import type { ConversationState } from '@/lib/client/state/state'
import type { Turn } from '@/lib/client/state/turn'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { useConversation } from './chat-context'
import type { ToolRegistry } from '@/lib/shared/tools/tool-registry'

/** Loads the conversation tools for components of the first load, with the first part that needs them. */
export const loadToolRegistry = async (): Promise<ToolRegistry> =>
  (await loadPart(() => import('@/lib/client/wiring/tools/page-tools.browser'))).toolRegistry

interface Reading {
  readonly count: (view: ConversationState) => number
  /** The question of the first waiting call, if there is one. */
  readonly ask: (view: ConversationState) => FirstWaitingCall | null
  /** What a finished reply lacks: an answer, or any text; null if it lacks nothing. */
  readonly lacks: (reply: AssistantMessage, view: ConversationState) => EmptyReply | null
  /** What sending another message would skip, as a sentence. */
  readonly hint: (view: ConversationState) => string
  readonly turn: (view: ConversationState) => Turn
}

/** The code that reads replies loads with the first reply; until then nothing can wait. */
let reading: Reading | null = null
let loading: Promise<Reading> | null = null
const listeners = new Set<() => void>()

export function loadWaiting(): Promise<Reading> {
  loading ??= Promise.all([
    loadPart(() => import('@/lib/client/state/last-reply')),
    loadPart(() => import('@/lib/client/state/turn')),
    loadToolRegistry(),
  ]).then(
    ([{ firstWaitingCall, lacksOf, waitingCount, writingOn, pendingCallsText }, { turnOf }, registry]) => {
      const toolsOf = (view: ConversationState) => registry.of(view.tools)
      reading = {
        count: (view) => waitingCount(view, toolsOf(view)),
        ask: (view) => firstWaitingCall(view, toolsOf(view)),
        lacks: (reply, view) => lacksOf(reply, view, toolsOf(view)),
        turn: (view) => turnOf(view, toolsOf(view)),
        hint: (view) => pendingCallsText(writingOn(view, toolsOf(view))),
      }
      for (const listener of listeners) listener()
      return reading
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const hasReply = (view: ConversationState): boolean => view.path.at(-1)?.role === 'assistant'

function useReading(): Reading | null {
  const known = useSyncExternalStore(
    subscribe,
    () => reading,
    () => null,
  )
  const asks = useConversation((view) => hasReply(view))
  if (asks && known === null) void loadWaiting().catch(() => {})
  return known
}

/** How many calls of the open chat wait for the user; null while unknown. */
export function useWaitingCount(): number | null {
  const known = useReading()
  return useConversation((view) => (!hasReply(view) ? 0 : known === null ? null : known.count(view)))
}

/** The state of the turn that a queued message waits for; counts as writing while unknown. */
export function useTurn(): Turn {
  const known = useReading()
  return useConversation((view) => known?.turn(view) ?? 'writing')
}

/** What sending another message would skip; '' for nothing, or while unknown. */
export function useWritingOn(): string {
  const known = useReading()
  return useConversation((view) => (!hasReply(view) || known === null ? '' : known.hint(view)))
}
