import type { Metadata } from 'next'
import { PageLink } from '@/components/ui/page-link'
import { column, emptyState, emptyTitle } from '@/components/ui/recipes/surface'

export const metadata: Metadata = { title: 'Not found · Nod' }

export default function NotFound() {
  return (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState()}>
        <h1 className={emptyTitle()}>There is no such page</h1>
        <p>
          <PageLink href="/">Go to your chats</PageLink>
        </p>
      </div>
    </main>
  )
}
