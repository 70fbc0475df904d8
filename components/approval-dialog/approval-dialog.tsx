'use client'

import { QuestionCard, type QuestionCardProps } from '@/components/tool-call/question-card'
import { Dialog } from '@/components/ui/dialog'
import { maySentence } from '@/lib/words/may-run'

/** One question after the other, with what its card shows. Esc leaves it for later: it goes on waiting in its card. */
export default function ApprovalDialog({ question, more }: QuestionCardProps) {
  const { name } = question.request.call.call
  const label = maySentence(question.kind === 'run' ? 'may.run' : 'may.send', { name })
  return (
    <Dialog look="ask" label={label} onClose={() => question.answer({ kind: 'later' })}>
      <QuestionCard key={question.id} question={question} more={more} />
    </Dialog>
  )
}
