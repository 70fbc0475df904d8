'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { OlderMessages, OlderStatus } from '@/lib/client/state/older-messages'
import { loadedMessagesOf, isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { Message } from '@/lib/shared/conversation/conversation'
import { olderMessages } from '@/lib/client/wiring/older-messages.browser'
import { useClientStore, useConversation } from './chat-context'

/** Loads messages of which only the place in the tree is known. */
export const useOlder = (): OlderMessages => olderMessages(useClientStore())

const idle: OlderStatus = { loading: false, problem: null }

export function useOlderStatus(): OlderStatus {
  const { subscribe, status } = useOlder()
  return useSyncExternalStore(subscribe, status, () => idle)
}

/** Requests these messages until they are loaded. Pass the same array each time, or every render sends a request. */
export function useNeeded(ids: readonly string[]): void {
  const older = useOlder()
  useEffect(() => {
    if (ids.length > 0) older.need(ids)
  }, [older, ids])
}

const absentIn = (rows: Iterable<ChatRow>): readonly string[] =>
  [...rows].flatMap((row) => (isHere(row) ? [] : [row.id]))

/** All messages of the chat in every branch; null until they are loaded. The first use starts loading. */
export function useAllMessages(): readonly Message[] | null {
  const tree = useConversation((view) => view.tree)
  const absent = useMemo(() => absentIn(tree.values()), [tree])
  useNeeded(absent)
  return useMemo(() => (absent.length > 0 ? null : [...tree.values()].filter(isHere)), [absent, tree])
}

const none: readonly Message[] = []
const nothing: readonly string[] = []

/** The messages after this one in the shown branch that are loaded; the others are requested. */
export function useMessagesAfter(messageId: string, wanted: boolean): readonly Message[] {
  const path = useConversation((view) => (wanted ? view.path : none))
  const after = useMemo(() => path.slice(path.findIndex(({ id }) => id === messageId) + 1), [path, messageId])
  const absent = useMemo(() => (wanted ? absentIn(after) : nothing), [wanted, after])
  useNeeded(absent)
  return wanted ? loadedMessagesOf(after) : none
}
