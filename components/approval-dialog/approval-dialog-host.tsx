'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/lazy-part'
import type { ApprovalUIPort } from '@/lib/tool-calls/approval-ui-port'
import { frameSentence } from '@/lib/words/frame'
import { createQuestionList, type OpenQuestion } from '@/lib/tool-calls/question-list'

const ApprovalDialog = lazyPart(() => import('./approval-dialog'), {
  what: () => frameSentence('frame.part-question'),
  look: 'over',
})
const none: readonly OpenQuestion[] = []

/** Asks in a dialog over the chat, where the conversation's settings say so. The dialog is loaded when they do. */
export function ApprovalDialogHost({ port }: { port: Pick<ApprovalUIPort, 'connect'> }) {
  const wanted = useConversation((view) => view.conversation?.settings.tools.approvalUi === 'dialog')
  const [questions] = useState(createQuestionList)
  const open = useSyncExternalStore(questions.subscribe, questions.list, () => none)
  useEffect(() => {
    if (!wanted) return
    void ApprovalDialog.preload()
    return port.connect(questions)
  }, [wanted, port, questions])
  const [question] = open
  if (!wanted || !question) return null
  return <ApprovalDialog question={question} more={open.length - 1} />
}
