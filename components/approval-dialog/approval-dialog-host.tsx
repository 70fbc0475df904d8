'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { QuestionList } from '@/lib/client/calls/approval/approval-ui'

/** If loading fails, the cards still ask, and the dialog is loaded again later. */
const DialogQuestions = lazyPart(() => import('./dialog-questions'), { look: 'silent' })

/**
 * Asks for approval in a dialog over the chat if the conversation's settings say so. The code is loaded on first use.
 */
export function ApprovalDialogHost({ questions }: { questions: QuestionList }) {
  const wanted = useConversation((view) => view.conversation?.settings.tools.approvalUi === 'dialog')
  const [everWanted, setEverWanted] = useState(wanted)
  if (wanted && !everWanted) setEverWanted(true)
  return everWanted ? <DialogQuestions questions={questions} wanted={wanted} /> : null
}
