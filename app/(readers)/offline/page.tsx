import { connection } from 'next/server'
import { PageLink } from '@/components/ui/page/page-head'
import { button } from '@/components/ui/recipes/button'
import { column, emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'
import { inReadersLanguage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

/** The service worker caches it, for pages that do not work without the server. */
export default async function OfflinePage() {
  await connection()
  return inReadersLanguage(() => (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState({ alone: true })}>
        <h1 className={emptyTitle()}>{t('offline.title')}</h1>
        <p>{t('offline.why')}</p>
        <div className={row({}, 'mt-5')}>
          <PageLink className={button()} href="/">
            {t('offline.chats')}
          </PageLink>
          <PageLink className={button({ look: 'quiet' })} href="/playground">
            {t('offline.playground')}
          </PageLink>
          <PageLink className={button({ look: 'quiet' })} href="/lab">
            {t('offline.lab')}
          </PageLink>
        </div>
      </div>
    </main>
  ))
}
