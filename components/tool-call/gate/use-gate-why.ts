'use client'

import { useChat } from '@/components/chat/chat-context'
import type { CallOutcome } from '@/lib/chat/conversation'
import { defaultToolConfig } from '@/lib/chat/tool-config'
import { callKey } from '@/lib/client/state'
import { gateWords } from './gate-words'

/** Why the result of a call waits, in a few words. */
export function useGateWhy(messageId: string, slot: number, tool: string, outcome: CallOutcome): string {
  return useChat(({ view }) =>
    gateWords(tool, outcome, view.conversation?.settings.tools ?? defaultToolConfig, {
      finishedAt: view.calls.get(callKey(messageId, slot))?.finishedAt ?? null,
      importedAt: view.conversation?.importedAt,
    }),
  )
}
