'use client'

import { QuestionCard, type QuestionCardProps } from '@/components/tool-call/question-card'
import { Dialog } from '@/components/ui/popups/dialog'
import { useTools } from '@/components/context/tools-context'
import { t } from '@/lib/i18n/t'

/** One question after the other, with what its card shows. Esc leaves it for later: it goes on waiting in its card. */
export function ApprovalDialog({ question, more }: QuestionCardProps) {
  const { name } = question.request.call.call
  const asksUser = useTools().get(name)?.policy.asksUser === true
  const label = question.kind !== 'run' ? t('may.send', { name }) : asksUser ? t('asks.dialog') : t('may.run', { name })
  return (
    <Dialog look="ask" label={label} onClose={() => question.answer({ kind: 'later' })}>
      <QuestionCard key={question.id} question={question} more={more} />
    </Dialog>
  )
}
