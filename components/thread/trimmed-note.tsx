'use client'

import { Icon } from '@/components/ui/icon'
import { note } from '@/components/ui/recipes/note'
import type { TrimmedPrompt } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'

/** Before a reply to a part of the chat: the model did not see the rest. */
export default function TrimmedNote({ trimmed }: { readonly trimmed: TrimmedPrompt }) {
  return (
    <p className={note({ tall: true }, 'mb-3')}>
      <Icon name="cut" />
      <span>{t(trimmed.assumed ? 'window.bounded' : 'window.trimmed', { ...trimmed })}</span>
    </p>
  )
}
