'use client'

import { PageFailed } from '@/components/ui/page-failed'

/** In place of a page that failed, inside of the layout. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return <PageFailed onAgain={reset} />
}
