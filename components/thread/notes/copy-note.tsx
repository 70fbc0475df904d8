'use client'

import { Icon } from '@/components/ui/controls/icon'
import { note } from '@/components/ui/recipes/surface'
import type { CopyEnd } from '@/lib/shared/conversation/copy-scopes'
import { t } from '@/lib/i18n/t'

/** Before a message: what the model learns with it about a finished copy. */
export default function CopyNote({ end: { kind, changed, kept, by } }: { readonly end: CopyEnd }) {
  const keptWords =
    by === 'grant' ? t('copy.kept-by-grant-note', { kept }) : t('copy.kept-note', { kept, left: changed - kept })
  return (
    <p className={note({ tall: true }, 'mb-2 justify-end')}>
      <Icon name="info" />
      <span>{kind === 'kept' ? keptWords : t('copy.discarded-note')}</span>
    </p>
  )
}
