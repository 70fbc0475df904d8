'use client'

import { Button } from '@/components/ui/button'
import { column, emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'

/** What our own mistakes look like. Messages live on the server, so a reload loses nothing. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className={emptyState()} role="alert">
        <h1 className={emptyTitle()}>This page failed</h1>
        <p>Your messages are kept on the server, and what you typed in this browser. Try again, or reload the page.</p>
        <div className={row({}, 'mt-5')}>
          <Button onClick={reset}>Try again</Button>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </div>
      </div>
    </main>
  )
}
