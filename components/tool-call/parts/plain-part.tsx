'use client'

import { memo, useId, useState } from 'react'
import { Markdown } from '@/components/markdown/markdown'
import { useLanguage } from '@/components/ui/page/use-language'
import type { MessagePart } from '@/lib/client/state/parsed-reply'
import { Icon } from '@/components/ui/controls/icon'
import { fold, thought } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'

/** A part of a reply that is not a call. */
export const PlainPart = memo(function PlainPart({ part }: { part: MessagePart }) {
  useLanguage()
  if (part.kind === 'reasoning') return <ReasoningFold text={part.text} ms={part.ms ?? null} />
  return part.kind === 'text' ? <Markdown text={part.text} streaming={false} /> : null
})

/** The model's reasoning before its answer, collapsed. Plain text: not parsed for calls or formatting. */
export function ReasoningFold({ text, ms }: { text: string; ms: number | null }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <button type="button" className={fold()} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} />
        {thoughtLabel(text, ms)}
      </button>
      <div id={id} className={thought()} dir="auto" hidden={!open}>
        {open ? text : null}
      </div>
    </div>
  )
}

/** The label of a collapsed thought: its duration if it was measured, otherwise its length. */
export function thoughtLabel(text: string, ms: number | null): string {
  const words = text.match(/\S+/g)?.length ?? 0
  if (ms === null) return t('reading.thought.words', { words })
  const seconds = Math.round(ms / 1_000)
  if (seconds < 1) return t('reading.thought.moment', { words })
  return seconds < 60
    ? t('reading.thought', { seconds })
    : t('reading.thought.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
}
