'use client'

import { useEffect, useMemo, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { loadPart } from '@/lib/i18n/load-part'
import { amendmentsOf, replyCalls } from '@/lib/client/state/turn'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { holdsUntrusted, noMarks, type CallMarks } from '@/lib/shared/origin/branch-origin'

const noPath: readonly ChatRow[] = []

/**
 * Which text asked for the calls of the last message; null: not known yet. Other messages are not marked. The code that
 * finds marks loads only if a text came from elsewhere. `others`: inner calls, each under its own slot.
 */
export function useOrigins(messageId: string, others?: readonly MessageCall[]): CallMarks | null {
  const path = useConversation((view) => (view.path.at(-1)?.id === messageId ? view.path : noPath))
  const amendments = useConversation((view) => view.amendments)
  const registered = useConversation((view) => view.tools)
  const conversation = useConversation((view) => view.conversation)
  const tools = useTools()
  const asked = useMemo(() => {
    const reply = path.at(-1)
    if (!isHere(reply) || reply.role !== 'assistant' || !conversation) return null
    if (!holdsUntrusted({ path, registered, importedAt: conversation.importedAt })) return null
    const view = { path, amendments, tools: registered, conversation }
    const calls = others ?? replyCalls(reply, conversation.settings.tools, amendmentsOf(view, reply.id), tools)
    return calls.length === 0 ? null : { view, reply, calls, tools }
  }, [path, amendments, registered, conversation, tools, others])
  const [known, setKnown] = useState<{ readonly asked: object; readonly marks: CallMarks } | null>(null)
  useEffect(() => {
    if (asked === null) return
    let isCurrent = true
    void loadPart(() => import('@/lib/client/wiring/tools/call-origins.browser'))
      .then(({ callOrigins }) => callOrigins.marks(asked))
      // The server checks again before anything runs automatically.
      .catch(() => noMarks)
      .then((marks) => isCurrent && setKnown({ asked, marks }))
    return () => {
      isCurrent = false
    }
  }, [asked])
  if (asked === null) return noMarks
  return known?.asked === asked ? known.marks : null
}
