'use client'

import { readersLanguage } from '@/lib/base/text/languages'
import { PageFailed } from './page-frame'
import './globals.css'

/** Replaces everything if the layout itself failed. Next's own page has styles that our policy forbids. */
export default function GlobalError({ reset }: { reset: () => void }) {
  return (
    <html lang={readersLanguage()}>
      <body>
        <PageFailed onAgain={reset} />
      </body>
    </html>
  )
}
