'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'

/** Shown for a conversation that does not exist or is not this visitor's; the server does not say which. */
export default function MissingView() {
  const { newChat } = useChatActions()
  const problem = useConversation((view) => view.problem)
  return (
    <div className={emptyState({ alone: true })}>
      <h2 className={emptyTitle()}>{t('place.no-chat')}</h2>
      {problem ? (
        <p role="alert">
          <SentenceText text={problem.message} />
        </p>
      ) : null}
      <p>{t('place.no-chat-why')}</p>
      <div className={row({}, 'mt-5')}>
        <Button onClick={newChat}>{t('place.no-chat-new')}</Button>
      </div>
    </div>
  )
}
