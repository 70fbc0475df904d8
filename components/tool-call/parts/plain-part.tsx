'use client'

import { memo } from 'react'
import { Markdown } from '@/components/markdown/markdown'
import { useLanguage } from '@/components/ui/use-language'
import type { MessagePart } from '@/lib/client/state/message-parts'
import { ReasoningFold } from './reasoning-fold'

/** What of a reply is no call. */
export const PlainPart = memo(function PlainPart({ part }: { part: MessagePart }) {
  useLanguage()
  if (part.kind === 'reasoning') return <ReasoningFold text={part.text} ms={part.ms ?? null} />
  return part.kind === 'text' ? <Markdown text={part.text} streaming={false} /> : null
})
