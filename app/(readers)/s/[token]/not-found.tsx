'use client'

import { PageLink } from '@/components/ui/page/page-head'
import { button } from '@/components/ui/recipes/button'
import { column, emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

/** Shown for a share link that is unknown or no longer valid. */
export default function SharedNotFound() {
  useLanguage()
  return (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState({ alone: true })}>
        <h1 className={emptyTitle()}>{t('out.gone.title')}</h1>
        <p>{t('out.gone.why')}</p>
        <div className={row({}, 'mt-5')}>
          <PageLink className={button()} href="/">
            {t('out.gone.home')}
          </PageLink>
        </div>
      </div>
    </main>
  )
}
