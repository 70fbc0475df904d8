'use client'

import { Icon } from '@/components/ui/controls/icon'
import { note } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import type { CopyEnd } from '@/lib/shared/conversation/copy-scopes'
import { t } from '@/lib/i18n/t'

/** Before a message: what the model learns with it about a finished copy. */
export default function CopyNote({ end: { kind, changed, kept, by, reviewer } }: { readonly end: CopyEnd }) {
  const keptWords =
    by === 'grant' ? t('copy.kept-by-grant-note', { kept }) : t('copy.kept-note', { kept, left: changed - kept })
  return (
    <p className={note({ tall: true }, 'mb-2 justify-end')}>
      <Icon name="info" />
      <span>
        {reviewer === undefined ? (
          kind === 'kept' ? (
            keptWords
          ) : (
            t('copy.discarded-note')
          )
        ) : (
          <SentenceText text={t('copy.reviewer-note', { name: asUntrusted(reviewer), kind, count: kept })} />
        )}
      </span>
    </p>
  )
}
