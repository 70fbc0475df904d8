'use client'

import { useEffect, useMemo, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { loadPart } from '@/lib/i18n/load-part'
import { amendmentsOf, replyCalls } from '@/lib/client/state/parsed-reply'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import {
  holdsUntrusted,
  noMarks,
  uncheckedMark,
  type CallMarks,
  type CodeSoFar,
} from '@/lib/shared/origin/branch-origin'

/** How long Run waits for the marks; ms. They may still come later. */
const CHECK_MS = 5_000

const noPath: readonly ChatRow[] = []

/**
 * Marks that say whose idea the calls of the last message are; null: not known yet, so that Run waits. If the check
 * fails or takes too long, each call is marked as unchecked. Other messages have no marks. The code that computes marks
 * loads only where a text came from elsewhere. `others`: calls of code, with the code's results so far.
 */
export function useOrigins(
  messageId: string,
  others?: { readonly calls: readonly MessageCall[]; readonly within: CodeSoFar },
): CallMarks | null {
  const path = useConversation((view) => (view.path.at(-1)?.id === messageId ? view.path : noPath))
  const amendments = useConversation((view) => view.amendments)
  const registered = useConversation((view) => view.tools)
  const conversation = useConversation((view) => view.conversation)
  const tools = useTools()
  const asked = useMemo(() => {
    const reply = path.at(-1)
    if (!isHere(reply) || reply.role !== 'assistant' || !conversation) return null
    if (!holdsUntrusted({ path, registered, importedAt: conversation.importedAt, within: others?.within })) return null
    const view = { path, amendments, tools: registered, conversation }
    const calls = others?.calls ?? replyCalls(reply, conversation.settings.tools, amendmentsOf(view, reply.id), tools)
    return calls.length === 0 ? null : { view, reply, calls, tools, within: others?.within }
  }, [path, amendments, registered, conversation, tools, others])
  const [known, setKnown] = useState<{ readonly asked: object; readonly marks: CallMarks } | null>(null)
  useEffect(() => {
    if (asked === null) return
    let isCurrent = true
    const unchecked: CallMarks = new Map(asked.calls.map(({ slot }) => [slot, uncheckedMark]))
    const tell = (marks: CallMarks) => {
      if (isCurrent) setKnown({ asked, marks })
    }
    const timer = setTimeout(() => tell(unchecked), CHECK_MS)
    void loadPart(() => import('@/lib/client/wiring/tools/call-origins.browser'))
      .then(({ callOrigins }) => callOrigins.marks(asked))
      .catch(() => unchecked)
      .then(tell)
      .finally(() => clearTimeout(timer))
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [asked])
  if (asked === null) return noMarks
  return known?.asked === asked ? known.marks : null
}
