'use client'

import { useAuiState } from '@assistant-ui/react'
import { useMemo } from 'react'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { outcomeOf } from './reply-status'
import { rowOf } from './thread-message'

/** In the scope of a reply: its stored row, which ended as the scope's status says. */
export function useReply(): AssistantMessage {
  const row = useAuiState((state) => rowOf(state.message) as AssistantMessage)
  const outcome = useAuiState(({ message }) => (message.status ? outcomeOf(message.status) : null))
  return useMemo(() => (row.outcome === outcome ? row : { ...row, outcome }), [row, outcome])
}
