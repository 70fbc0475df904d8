'use client'

import { message as messageLook } from '@/components/ui/recipes/message'
import { note } from '@/components/ui/recipes/note'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { AbsentRow } from './absent-row'

/** In the place of a reply until what reads it is here. Its text is not shown as it stands: a call in it is no prose. */
export function ReplyComing({ message }: { message: AssistantMessage }) {
  if (message.outcome !== null) return <AbsentRow role={message.role} />
  return (
    <article className={messageLook()} aria-label={t('frame.assistant')} aria-busy>
      <p className={note({}, 'tabular-nums')}>
        {t(message.text === '' && message.reasoning === '' ? 'thread.first-words' : 'thread.reply-loading')}
      </p>
    </article>
  )
}
