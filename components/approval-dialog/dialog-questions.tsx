'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { Guarded } from '@/components/ui/guarded'
import type { ApprovalUIPort } from '@/lib/client/calls/approval-ui-port'
import { createQuestionList, type OpenQuestion } from '@/lib/client/calls/question-list'
import { t } from '@/lib/i18n/t'
import { ApprovalDialog } from './approval-dialog'

export interface DialogQuestionsProps {
  readonly port: Pick<ApprovalUIPort, 'connect'>
  /** What is open while the cards ask waits here for the dialog. */
  readonly wanted: boolean
}

const none: readonly OpenQuestion[] = []

/** Takes the questions of the port, and asks one after the other. */
export default function DialogQuestions({ port, wanted }: DialogQuestionsProps) {
  const [questions] = useState(createQuestionList)
  const open = useSyncExternalStore(questions.subscribe, questions.list, () => none)
  useEffect(() => (wanted ? port.connect(questions) : undefined), [wanted, port, questions])
  const [question] = open
  if (!wanted || !question) return null
  return (
    <Guarded what={t('asks.part')} look="over" resetKey={question.id}>
      <ApprovalDialog question={question} more={open.length - 1} />
    </Guarded>
  )
}
