'use client'

import { createContext, useContext, useSyncExternalStore, type ReactNode } from 'react'
import type { CallActions, ChatActions, ThreadActions } from '@/lib/client/chats/actions'
import { viewOf } from '@/lib/client/state/open-conversations'
import { type ClientState, type ConversationState, initialState } from '@/lib/client/state/state'
import type { ClientStore } from '@/lib/client/state/store'
import type { InlineApproval } from '@/lib/client/calls/approval/inline-approval'
import type { Drafts } from '@/lib/client/outbox/drafts'

export interface ChatContextValue {
  readonly store: ClientStore
  readonly chat: ChatActions
  readonly calls: CallActions
}

const ChatContext = createContext<ChatContextValue | null>(null)

export function ChatProvider({ value, children }: { value: ChatContextValue; children: ReactNode }) {
  return <ChatContext value={value}>{children}</ChatContext>
}

function useChatContext(): ChatContextValue {
  const value = useContext(ChatContext)
  if (!value) throw new Error('This component must stand inside a ChatProvider.')
  return value
}

/** The selector must return a primitive or a reference that lives in the state: a new object each time loops. */
export function useChat<T>(selector: (state: ClientState) => T): T {
  const { store } = useChatContext()
  return useSyncExternalStore(
    store.subscribe,
    () => selector(store.getState()),
    () => selector(initialState),
  )
}

/** Selects from the conversation that is shown. */
export const useConversation = <T,>(selector: (view: ConversationState) => T): T =>
  useChat((state) => selector(viewOf(state)))

export const useChatActions = (): Omit<ChatActions, keyof ThreadActions> => useChatContext().chat
/** The user's actions in the shown chat's thread. */
export const useThreadActions = (): ThreadActions => useChatContext().chat
export const useCallActions = (): CallActions => useChatContext().calls
export const useClientStore = (): ClientStore => useChatContext().store

const AnswerContext = createContext<InlineApproval['answer'] | null>(null)

export const AnswerProvider = AnswerContext

/** How a card answers the approval service's request for its call. */
export function useAnswer(): InlineApproval['answer'] {
  const answer = useContext(AnswerContext)
  if (!answer) throw new Error('A card must stand inside an AnswerProvider.')
  return answer
}

const DraftsContext = createContext<Drafts | null>(null)

export const DraftsProvider = DraftsContext
/** Unsent drafts; null if nothing is stored, as in the playground. */
export const useDrafts = (): Drafts | null => useContext(DraftsContext)
