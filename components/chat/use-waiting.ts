'use client'

import { useSyncExternalStore } from 'react'
import { loadPart } from '@/lib/base/load-part'
import type { ConversationState } from '@/lib/client/state'
import { useChat } from './chat-context'

type Count = (view: ConversationState) => number

/** Reading replies is loaded with the first one: until then nothing can wait. */
let count: Count | null = null
let loading: Promise<Count> | null = null
const listeners = new Set<() => void>()

export function loadWaiting(): Promise<Count> {
  loading ??= loadPart(() => import('@/lib/client/waiting')).then(
    ({ waitingCount }) => {
      count = waitingCount
      for (const listener of listeners) listener()
      return waitingCount
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

/** How many calls of the open chat wait for the user; null while that is not known. */
export function useWaitingCount(): number | null {
  const counting = useSyncExternalStore(
    subscribe,
    () => count,
    () => null,
  )
  const asks = useChat(({ view }) => hasReply(view))
  if (asks && counting === null) void loadWaiting().catch(() => {})
  return useChat(({ view }) => (!hasReply(view) ? 0 : counting === null ? null : counting(view)))
}
