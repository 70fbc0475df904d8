'use client'

import { useSyncExternalStore } from 'react'
import { Guarded } from '@/components/ui/page/guarded'
import type { OpenQuestion, QuestionList } from '@/lib/client/calls/approval-ui'
import { t } from '@/lib/i18n/t'
import { ApprovalDialog } from './approval-dialog'

export interface DialogQuestionsProps {
  readonly questions: QuestionList
  /** While the settings ask on the cards only, open questions stay in the list. */
  readonly wanted: boolean
}

const none: readonly OpenQuestion[] = []

/** Asks the questions of the list, one after the other. */
export default function DialogQuestions({ questions, wanted }: DialogQuestionsProps) {
  const open = useSyncExternalStore(questions.subscribe, questions.list, () => none)
  const [question] = open
  if (!wanted || !question) return null
  return (
    <Guarded what={t('asks.part')} look="over" resetKey={question.id}>
      <ApprovalDialog question={question} more={open.length - 1} />
    </Guarded>
  )
}
