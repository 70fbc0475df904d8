'use client'

import { useSyncExternalStore } from 'react'
import { Guarded } from '@/components/ui/page/guarded'
import type { OpenQuestion, QuestionList } from '@/lib/client/calls/approval-ui'
import { t } from '@/lib/i18n/t'
import { QuestionCard, type QuestionCardProps } from '@/components/tool-call/question-card'
import { Dialog } from '@/components/ui/popups/dialog'
import { useTools } from '@/components/context/tools-context'

/** One question after the other, with what its card shows. Esc leaves it for later: it continues waiting in its card. */
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
