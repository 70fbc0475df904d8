'use client'

import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useChat } from '@/components/chat/chat-context'
import type { ApprovalUIPort } from '@/lib/tool-calls/approval-ui-port'
import { createQuestionList, type OpenQuestion } from '@/lib/tool-calls/question-list'

const load = () => import('./approval-dialog')
const ApprovalDialog = lazy(load)
const none: readonly OpenQuestion[] = []

/** Asks in a dialog over the chat, where the conversation's settings say so. The dialog is loaded when they do. */
export function ApprovalDialogHost({ port }: { port: Pick<ApprovalUIPort, 'connect'> }) {
  const wanted = useChat(({ view }) => view.conversation?.settings.tools.approvalUi === 'dialog')
  const [questions] = useState(createQuestionList)
  const open = useSyncExternalStore(questions.subscribe, questions.list, () => none)
  useEffect(() => {
    if (!wanted) return
    load().catch(() => {
      // The first question asks again.
    })
    return port.connect(questions)
  }, [wanted, port, questions])
  const [question] = open
  if (!wanted || !question) return null
  return (
    <Suspense>
      <ApprovalDialog question={question} more={open.length - 1} />
    </Suspense>
  )
}
