'use client'

import { composerHint } from './composer-look'
import { useMemo } from 'react'
import { TextButton } from '@/components/ui/text-button'
import { unseenWords, withoutUnseen } from '@/lib/base/foreign-text/unseen-words'

/** Said before it is sent: what was pasted into a message holds more than it shows. */
export function UnseenNotice({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const words = useMemo(() => unseenWords(text), [text])
  if (words === '') return null
  return (
    <p className={composerHint()} role="status">
      The message holds {words}. A model reads them too.{' '}
      <TextButton onClick={() => onChange(withoutUnseen(text))}>remove</TextButton>
    </p>
  )
}
