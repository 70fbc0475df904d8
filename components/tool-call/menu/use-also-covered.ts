'use client'

import { useMemo } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { isHere } from '@/lib/conversation/chat-row'
import type { AssistantMessage, GrantScope } from '@/lib/conversation/conversation'
import { amendmentsOf, replyCalls } from '@/lib/client/reply-calls'
import { callKey, type ConversationState } from '@/lib/client/state'
import { alsoCovered } from '@/lib/calls/also-covered'
import { onlyByClick, repeatsIn } from '@/lib/calls/chain-limits'
import { waitingCalls, type MessageCall } from '@/lib/calls/message-calls'
import type { ToolDefinition } from '@/lib/tools/tool'
import type { ToolSet } from '@/lib/tools/tool-registry'

const none: readonly MessageCall[] = []

type Covered = (kind: GrantScope['kind']) => readonly MessageCall[]

/** Which other calls of the reply wait now and are like this one, by kind of yes. */
export function useAlsoCovered(messageId: string, slot: number, tool: ToolDefinition | undefined): Covered {
  const view = useConversation((shown) => shown)
  const tools = useTools()
  return useMemo(() => coveredIn(view, tools, messageId, slot, tool), [view, tools, messageId, slot, tool])
}

function coveredIn(
  view: ConversationState,
  tools: ToolSet,
  messageId: string,
  slot: number,
  tool: ToolDefinition | undefined,
): Covered {
  const { conversation, path, tree, calls, live } = view
  const message = tree.get(messageId)
  if (!tool || !conversation || !isHere(message) || message.role !== 'assistant') return () => none
  const config = conversation.settings.tools
  const callsOf = (reply: AssistantMessage) => replyCalls(reply, config, amendmentsOf(view, reply.id), tools)
  const all = callsOf(message)
  const target = all.find((call) => call.slot === slot)
  if (!target) return () => none
  const repeats = repeatsIn(path, callsOf, messageId)
  const recordOf = (one: number) => calls.get(callKey(messageId, one))
  const waiting = waitingCalls(all, recordOf, config.maxCallsPerReply).filter(
    (call) =>
      live.get(callKey(messageId, call.slot))?.problem !== null && !onlyByClick(call, repeats.get(call.slot) ?? 1),
  )
  return (kind) => alsoCovered(kind, tool, target, waiting)
}
