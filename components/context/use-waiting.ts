'use client'

import { useSyncExternalStore } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import type { EmptyReply, FirstAsk } from '@/lib/client/state/last-reply'
import type { ConversationState } from '@/lib/client/state/state'
import type { Turn } from '@/lib/client/state/turn'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { useConversation } from './chat-context'
import type { ToolRegistry } from '@/lib/shared/tools/tool-registry'

/** The tools of conversations, for what stands in the first load: they come with the first part that needs them. */
export const loadToolRegistry = async (): Promise<ToolRegistry> =>
  (await loadPart(() => import('@/lib/client/wiring/page-tools.browser'))).toolRegistry

interface Reading {
  readonly count: (view: ConversationState) => number
  /** What the first of them asks, where one waits to be run. */
  readonly ask: (view: ConversationState) => FirstAsk | null
  /** What a finished reply lacks: an answer, or any word; null: nothing. */
  readonly lacks: (reply: AssistantMessage, view: ConversationState) => EmptyReply | null
  /** What writing something else leaves behind, as a sentence. */
  readonly hint: (view: ConversationState) => string
  readonly turn: (view: ConversationState) => Turn
}

/** Reading replies is loaded with the first one: until then nothing can wait. */
let reading: Reading | null = null
let loading: Promise<Reading> | null = null
const listeners = new Set<() => void>()

export function loadWaiting(): Promise<Reading> {
  loading ??= Promise.all([
    loadPart(() => import('@/lib/client/state/last-reply')),
    loadPart(() => import('@/lib/client/state/turn')),
    loadToolRegistry(),
  ]).then(
    ([{ firstAsk, lacksOf, waitingCount, writingOn, pendingCallsText }, { turnOf }, registry]) => {
      const toolsOf = (view: ConversationState) => registry.of(view.tools)
      reading = {
        count: (view) => waitingCount(view, toolsOf(view)),
        ask: (view) => firstAsk(view, toolsOf(view)),
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

/** How many calls of the open chat wait for the user; null while that is not known. */
export function useWaitingCount(): number | null {
  const known = useReading()
  return useConversation((view) => (!hasReply(view) ? 0 : known === null ? null : known.count(view)))
}

/** Where the turn stands that a queued message waits for; while that is not known, a reply is being written. */
export function useTurn(): Turn {
  const known = useReading()
  return useConversation((view) => known?.turn(view) ?? 'writing')
}

/** What writing something else would leave behind; '' for nothing, or while that is not known. */
export function useWritingOn(): string {
  const known = useReading()
  return useConversation((view) => (!hasReply(view) || known === null ? '' : known.hint(view)))
}
