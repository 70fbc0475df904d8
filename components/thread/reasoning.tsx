'use client'

import { fold, thought } from '@/components/ui/recipes/message'
import { SentenceText } from '@/components/ui/foreign-text'
import { useId, useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { thoughtWords } from '@/lib/i18n/thought-words'
import { t } from '@/lib/i18n/t'

/** What the model thought, folded away. Plain text: it is never read for calls, and never Markdown. */
export function Reasoning({ text, growing }: { text: string; growing: boolean }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  if (text.trim() === '') return null
  return (
    <div>
      <button type="button" className={fold()} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} />
        {growing ? t('reading.thinking') : thoughtWords(text, null)}
      </button>
      <div id={id} className={thought()} dir="auto" hidden={!open}>
        {open ? <SentenceText text={text.trim()} /> : null}
      </div>
    </div>
  )
}
