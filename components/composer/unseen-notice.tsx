'use client'

import { frameSentence } from '@/lib/words/frame'
import { composerHint } from './composer-look'
import { useMemo } from 'react'
import { TextButton } from '@/components/ui/text-button'
import { unseenWords, withoutUnseen } from '@/lib/base/foreign-text/unseen-words'

/** Said before it is sent: what was pasted into a message holds more than it shows. */
export default function UnseenNotice({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const words = useMemo(() => unseenWords(text), [text])
  if (words === '') return null
  return (
    <p className={composerHint()} role="status">
      {frameSentence('frame.unseen', { words })}{' '}
      <TextButton onClick={() => onChange(withoutUnseen(text))}>{frameSentence('frame.unseen-remove')}</TextButton>
    </p>
  )
}
