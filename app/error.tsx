'use client'

import { PageFailed } from './page-frame'

/** Replaces a page that failed, inside the layout. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return <PageFailed onAgain={reset} />
}
