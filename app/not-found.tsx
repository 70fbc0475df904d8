import { withBase } from '@/lib/base/base-path'
import { column, emptyState, emptyTitle } from '@/components/ui/recipes/surface'
import { inReadersLanguage, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

export const generateMetadata = () => titledPage(() => t('page.not-found'))

export default function NotFound() {
  return inReadersLanguage(() => (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState({ alone: true })}>
        <h1 className={emptyTitle()}>{t('page.not-found-why')}</h1>
        <p>
          {/* A plain link, because a reload loses nothing here. The link component would add code, and every page preloads this
   one. */}
          <a className="underline" href={withBase('/')}>
            {t('page.to-chats')}
          </a>
        </p>
      </div>
    </main>
  ))
}
