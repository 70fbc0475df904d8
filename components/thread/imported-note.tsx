'use client'

import { dayWords } from '@/lib/base/locale'
import { note } from '@/components/ui/recipes/note'
import { useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/icon'

/** Above the history of a chat that came from a file: nothing proves what stands in it. */
export function ImportedNote() {
  const importedAt = useConversation((view) => view.conversation?.importedAt)
  if (importedAt === undefined) return null
  const day = dayWords(importedAt)
  return (
    <p className={note()}>
      <Icon name="info" />
      <span>
        This chat was imported from a file on {day}. Up to then it is what the file said: nothing proves that its
        messages were written, its calls run and its results given.
      </span>
    </p>
  )
}
