'use client'

import { useMemo } from 'react'
import { useChat } from '@/components/chat/chat-context'
import type { GrantScope } from '@/lib/chat/conversation'
import { amendmentsOf, replyCalls } from '@/lib/client/reply-calls'
import { callKey } from '@/lib/client/state'
import { alsoCovered } from '@/lib/tool-calls/also-covered'
import { onlyByClick, repeatsIn } from '@/lib/tool-calls/chain-limits'
import { waitingCalls, type MessageCall } from '@/lib/tool-calls/message-calls'
import type { ToolDefinition } from '@/lib/tools/tool'

const none: readonly MessageCall[] = []

/** Which other calls of the reply wait now and are like this one, by kind of yes. */
export function useAlsoCovered(
  messageId: string,
  slot: number,
  tool: ToolDefinition | undefined,
): (kind: GrantScope['kind']) => readonly MessageCall[] {
  const view = useChat((state) => state.view)
  return useMemo(() => {
    const { conversation, path, tree, calls, live } = view
    const message = tree.get(messageId)
    if (!tool || !conversation || message?.role !== 'assistant') return () => none
    const config = conversation.settings.tools
    const all = replyCalls(message, config, amendmentsOf(view, messageId))
    const target = all.find((call) => call.slot === slot)
    if (!target) return () => none
    const callsOf = (reply: typeof message) => replyCalls(reply, config, amendmentsOf(view, reply.id))
    const repeats = repeatsIn(path, callsOf, messageId)
    const recordOf = (one: number) => calls.get(callKey(messageId, one))
    const waiting = waitingCalls(all, recordOf, config.maxCallsPerReply).filter(
      (call) =>
        live.get(callKey(messageId, call.slot))?.problem !== null && !onlyByClick(call, repeats.get(call.slot) ?? 1),
    )
    return (kind: GrantScope['kind']) => alsoCovered(kind, tool, target, waiting)
  }, [view, messageId, slot, tool])
}
