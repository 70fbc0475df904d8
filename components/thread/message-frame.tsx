'use client'

import type { ReactNode } from 'react'
import { Guarded } from '@/components/ui/guarded'
import type { Message } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { PlainMessage } from './plain-thread'
import { useConversation } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/lazy-part'
import type { ConversationState } from '@/lib/client/state/state'
import { compactionIn, type Compaction } from '@/lib/shared/conversation/settings/context-marks'

const CompactionLine = lazyPart(() => import('@/components/context-window/compaction-line'), {
  what: () => t('thread-part.compaction'),
  look: 'line',
})

/** Above the first message that is sent where the person left out what came before. */
function CompactionAbove({ message }: { message: Message }) {
  const compaction = useConversation((view) => compactionBefore(view, message))
  return compaction ? <CompactionLine key={compaction.madeAt} compaction={compaction} /> : null
}

/** Asked by each message for every change of the chat: the branch is looked at only where one ends right here. */
function compactionBefore({ conversation, path }: ConversationState, { parentId }: Message): Compaction | null {
  const marks = conversation?.marks
  if (!marks?.compactions.some(({ through }) => through === parentId)) return null
  const holds = compactionIn(path, marks)?.compaction ?? null
  return holds?.through === parentId ? holds : null
}

/** Around what shows one message: what stands above it, and its words where it can't be drawn. */
export function MessageFrame({ message, children }: { message: Message; children: ReactNode }) {
  return (
    <Guarded what={t('thread-part.message')} plain={<PlainMessage message={message} />} resetKey={message}>
      <CompactionAbove message={message} />
      {children}
    </Guarded>
  )
}
