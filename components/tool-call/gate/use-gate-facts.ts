'use client'

import { useMemo } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useAllMessages } from '@/components/context/use-older'
import { useTools } from '@/components/context/tools-context'
import type { JsonValue } from '@/lib/base/json'
import type { AssistantMessage, CallOutcome } from '@/lib/conversation/conversation'
import { sentBefore, sentBeforeWords } from '@/lib/chat/sent-before'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import { amendmentsOf, replyCalls } from '@/lib/client/reply-calls'
import { callKey } from '@/lib/client/state'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import { normalizePath } from '@/lib/vfs/path'
import { gateWords } from './gate-words'

/** Why the result of a call waits, in a few words. */
export function useGateWhy(messageId: string, slot: number, tool: string, outcome: CallOutcome): string {
  return useConversation((view) =>
    gateWords(tool, outcome, view.conversation?.settings.tools ?? defaultToolConfig, {
      finishedAt: view.calls.get(callKey(messageId, slot))?.finishedAt ?? null,
      importedAt: view.conversation?.importedAt,
    }),
  )
}

/**
 * What the model was sent already of a result that waits, as sentences from all that left in this chat; null until all of it
 * is here.
 */
export function useSentBefore(call: CallToWrite, result: JsonValue): string | null {
  const tools = useTools()
  const messages = useAllMessages()
  const conversation = useConversation((view) => view.conversation)
  const amendments = useConversation((view) => view.amendments)
  const found = useMemo(() => {
    if (!messages) return null
    const config = conversation?.settings.tools ?? defaultToolConfig
    const callsOf = (reply: AssistantMessage): readonly CallToWrite[] =>
      replyCalls(reply, config, amendmentsOf({ amendments }, reply.id), tools).flatMap(({ call: now, asked }) =>
        asked ? [now, asked] : [now],
      )
    const named = tools.get(call.name)?.paths?.(call.arguments) ?? []
    const paths = named.flatMap((path) => {
      const normal = normalizePath(path)
      return normal.ok ? [normal.value] : []
    })
    return sentBefore(result, { arguments: call.arguments, paths }, messages, callsOf)
  }, [call, result, tools, messages, conversation, amendments])
  return found && sentBeforeWords(found)
}
