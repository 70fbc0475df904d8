'use client'

import { usePathname } from 'next/navigation'
import { OfflineCaching } from '@/components/context/first-interaction'
import { PageChange } from '@/components/ui/page/page-change'
import { InLanguage, type InLanguageProps } from '@/components/language/in-language'
import { isChatPath } from '@/lib/shared/conversation/wire/addresses'

/*
 * What every page has. The page for a broken page is exported from here, as one module: Next preloads both error pages
 * with each page, and each would have its own copy.
 */

export { PageFailed } from '@/components/ui/page/page-failed'

/** Wraps everything that a page shows. */
export function PageFrame(props: InLanguageProps) {
  // A layout persists across navigation, but a page outside the chat needs more messages.
  const extent = isChatPath(usePathname()) ? props.extent : 'all'
  return (
    <>
      <InLanguage {...props} extent={extent} />
      <PageChange />
      <OfflineCaching />
    </>
  )
}
