'use client'

import { PageFailed } from '@/components/ui/page-failed'
import './globals.css'

/** In place of everything, when the layout itself failed. Next's own page has styles that our policy forbids. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <PageFailed onAgain={reset} />
      </body>
    </html>
  )
}
