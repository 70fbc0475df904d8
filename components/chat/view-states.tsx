'use client'

import { t } from '@/lib/i18n/t'
import { Button } from '@/components/ui/button'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'

export function FailedView() {
  const problem = useConversation((view) => view.problem)
  const id = useConversation((view) => view.id)
  const { open } = useChatActions()
  return (
    <div className={emptyState()} role="alert">
      <h2 className={emptyTitle()}>{t('frame.not-loaded')}</h2>
      <p>{t('frame.not-loaded-why', { why: problem?.message ?? t('frame.no-answer') })}</p>
      <div className={row({}, 'mt-5')}>
        <Button onClick={() => open(id)}>{t('frame.try-again')}</Button>
      </div>
    </div>
  )
}
