'use client'

import { useSyncExternalStore } from 'react'
import { loadPart } from '@/lib/base/load-part'
import type { ConversationState } from '@/lib/client/state'
import { useConversation } from './chat-context'

interface Reading {
  readonly count: (view: ConversationState) => number
  /** What writing something else leaves behind, as a sentence. */
  readonly hint: (view: ConversationState) => string
}

/** Reading replies is loaded with the first one: until then nothing can wait. */
let reading: Reading | null = null
let loading: Promise<Reading> | null = null
const listeners = new Set<() => void>()

export function loadWaiting(): Promise<Reading> {
  loading ??= loadPart(() => import('@/lib/client/last-reply')).then(
    ({ waitingCount, writingOn, writingOnWords }) => {
      reading = { count: waitingCount, hint: (view) => writingOnWords(writingOn(view)) }
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

/** What writing something else would leave behind; '' for nothing, or while that is not known. */
export function useWritingOn(): string {
  const known = useReading()
  return useConversation((view) => (!hasReply(view) || known === null ? '' : known.hint(view)))
}
