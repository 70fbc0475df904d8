'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { QuestionList } from '@/lib/client/calls/approval-ui'

/** While it can't be had, the cards ask alone, and it is asked for again. */
const DialogQuestions = lazyPart(() => import('./dialog-questions'), { look: 'silent' })

/** Asks in a dialog over the chat, where the conversation's settings say so. All of it is loaded when they first do. */
export function ApprovalDialogHost({ questions }: { questions: QuestionList }) {
  const wanted = useConversation((view) => view.conversation?.settings.tools.approvalUi === 'dialog')
  const [everWanted, setEverWanted] = useState(wanted)
  if (wanted && !everWanted) setEverWanted(true)
  return everWanted ? <DialogQuestions questions={questions} wanted={wanted} /> : null
}
