'use client'

import { Button } from '@/components/ui/button'

/** What our own mistakes look like. Messages live on the server, so a reload loses nothing. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <main className="thread">
      <div className="empty" role="alert">
        <h1>This page failed</h1>
        <p>Your messages are kept on the server, and what you typed in this browser. Try again, or reload the page.</p>
        <div className="row state-row">
          <Button onClick={reset}>Try again</Button>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </div>
      </div>
    </main>
  )
}
