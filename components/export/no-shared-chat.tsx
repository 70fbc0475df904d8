'use client'

import { PageLink } from '@/components/ui/page/page-link'
import { column, emptyState, emptyTitle } from '@/components/ui/recipes/surface'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

/** Shown for a share link that is unknown or no longer valid. */
export function NoSharedChat() {
  useLanguage()
  return (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState({ alone: true })}>
        <h1 className={emptyTitle()}>{t('out.gone.title')}</h1>
        <p>{t('out.gone.why')}</p>
        <p>
          <PageLink className="underline underline-offset-2" href="/">
            {t('out.gone.home')}
          </PageLink>
        </p>
      </div>
    </main>
  )
}
