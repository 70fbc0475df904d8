'use client'

import { invisibleText, withoutUnseen } from '@/lib/i18n/invisible-text'
import { t } from '@/lib/i18n/t'
import { composerHint } from './composer-styles'
import { useMemo } from 'react'
import { TextButton } from '@/components/ui/controls/button'

/** Warns before sending that a pasted text contains invisible characters. */
export default function UnseenNotice({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const words = useMemo(() => invisibleText(text), [text])
  if (words === '') return null
  return (
    <p className={composerHint()} role="status">
      {t('frame.unseen', { words })}{' '}
      <TextButton onClick={() => onChange(withoutUnseen(text))}>{t('frame.unseen-remove')}</TextButton>
    </p>
  )
}
