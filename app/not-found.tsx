import { PageLink } from '@/components/ui/page-link'
import { column, emptyState, emptyTitle } from '@/components/ui/recipes/surface'
import { saidToReader, titledPage } from '@/lib/wiring/page-language.server'
import { pageSentence } from '@/lib/words/pages'

export const generateMetadata = () => titledPage(() => pageSentence('page.not-found'))

export default function NotFound() {
  return saidToReader(() => (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState()}>
        <h1 className={emptyTitle()}>{pageSentence('page.not-found-why')}</h1>
        <p>
          <PageLink href="/">{pageSentence('page.to-chats')}</PageLink>
        </p>
      </div>
    </main>
  ))
}
