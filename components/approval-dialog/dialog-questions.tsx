'use client'

import { useSyncExternalStore } from 'react'
import { Guarded } from '@/components/ui/page/page-failed'
import type { OpenQuestion, QuestionList } from '@/lib/client/calls/approval/approval-ui'
import { t } from '@/lib/i18n/t'
import { QuestionCard, type QuestionCardProps } from '@/components/tool-call/question-card'
import { Dialog } from '@/components/ui/popups/dialog'
import { useTools } from '@/components/context/tools-context'

/**
 * Shows one approval request at a time, with the contents of its card. Esc closes the dialog; the call keeps waiting in
 * its card.
 */
function ApprovalDialog({ question, more }: QuestionCardProps) {
  const { name } = question.request.call.call
  const asksUser = useTools().get(name)?.policy.asksUser === true
  const label = question.kind !== 'run' ? t('may.send', { name }) : asksUser ? t('asks.dialog') : t('may.run', { name })
  return (
    <Dialog look="ask" label={label} onClose={() => question.answer({ kind: 'later' })}>
      <QuestionCard key={question.id} question={question} more={more} />
    </Dialog>
  )
}

export interface DialogQuestionsProps {
  readonly questions: QuestionList
  /** Whether the settings ask in the dialog. If not, open requests stay in the list. */
  readonly wanted: boolean
}

const none: readonly OpenQuestion[] = []

/** Asks the list's approval requests one after the other. */
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
