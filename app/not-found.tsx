import { withBase } from '@/lib/base/base-path'
import { column, emptyState, emptyTitle } from '@/components/ui/recipes/surface'
import { saidToReader, titledPage } from '@/lib/wiring/page-language.server'
import { pageSentence } from '@/lib/words/pages'

export const generateMetadata = () => titledPage(() => pageSentence('page.not-found'))

export default function NotFound() {
  return saidToReader(() => (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState({ alone: true })}>
        <h1 className={emptyTitle()}>{pageSentence('page.not-found-why')}</h1>
        <p>
          {/* Nothing runs here that a reload would end, and each page loads this one ahead: a link of ours would bring code. */}
          <a className="underline" href={withBase('/')}>
            {pageSentence('page.to-chats')}
          </a>
        </p>
      </div>
    </main>
  ))
}
