'use client'

import { PageFailed } from './page-frame'

/** In place of a page that failed, inside of the layout. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return <PageFailed onAgain={reset} />
}
