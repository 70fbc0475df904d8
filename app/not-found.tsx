import { withBase } from '@/lib/base/base-path'
import { button } from '@/components/ui/recipes/button'
import { column, emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'
import { inReadersLanguage, titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'

export const generateMetadata = () => titledPage(() => t('page.not-found'))

export default function NotFound() {
  return inReadersLanguage(() => (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState({ alone: true })}>
        <h1 className={emptyTitle()}>{t('page.not-found-why')}</h1>
        <div className={row({}, 'mt-5')}>
          {/* A plain link, because a reload ends nothing here, and every page preloads this one: our own link would
             add code. */}
          <a className={button()} href={withBase('/')}>
            {t('page.to-chats')}
          </a>
        </div>
      </div>
    </main>
  ))
}
