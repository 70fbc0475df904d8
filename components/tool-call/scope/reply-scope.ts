'use client'

import { createContext, useContext } from 'react'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { MessageCallsView } from './use-message-calls'

/** What the cards of one reply share. */
export interface ReplyScope {
  readonly message: AssistantMessage
  /** The tools of the current settings. */
  readonly tools: readonly ToolSpec[]
  readonly view: MessageCallsView
}

/** Another reply beside this one has the screen's one filled button. */
export const OutlinedCards = createContext(false)

const ReplyScopeContext = createContext<ReplyScope | null>(null)

export const ReplyScopeProvider = ReplyScopeContext

export function useReplyScope(): ReplyScope {
  const scope = useContext(ReplyScopeContext)
  if (!scope) throw new Error('A card must stand inside a ReplyScopeProvider.')
  return scope
}
