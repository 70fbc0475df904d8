'use client'

import type { ReactNode } from 'react'
import { Guarded } from '@/components/ui/guarded'
import type { Message } from '@/lib/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { CompactionAbove } from './compaction-above'
import { PlainMessage } from './plain-thread'

/** Around what shows one message: what stands above it, and its words where it can't be drawn. */
export function MessageFrame({ message, children }: { message: Message; children: ReactNode }) {
  return (
    <Guarded what={t('thread-part.message')} plain={<PlainMessage message={message} />} resetKey={message}>
      <CompactionAbove message={message} />
      {children}
    </Guarded>
  )
}
