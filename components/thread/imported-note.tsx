'use client'

import { t } from '@/lib/i18n/t'
import { note } from '@/components/ui/recipes/note'
import { useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/icon'

/** Above the history of a chat that came from a file: nothing proves what stands in it. */
export function ImportedNote() {
  const importedAt = useConversation((view) => view.conversation?.importedAt)
  if (importedAt === undefined) return null
  return (
    <p className={note()}>
      <Icon name="info" />
      <span>{t('thread.imported', { at: importedAt })}</span>
    </p>
  )
}
