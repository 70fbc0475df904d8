'use client'

import { usePathname } from 'next/navigation'
import { OfflineCaching } from '@/components/context/cache-for-offline'
import { PageChange } from '@/components/ui/page/page-change'
import { InLanguage, type InLanguageProps } from '@/components/language/in-language'
import { isChatPath } from '@/lib/shared/conversation/wire/addresses'

/*
 * What every page has, whatever it shows. What a page that broke says comes with it, as one module: Next loads both error
 * pages ahead with each page, and each would bring a copy of its own.
 */

export { PageFailed } from '@/components/ui/page/page-failed'

/** Around everything that a page shows. */
export function PageFrame(props: InLanguageProps) {
  // A layout stays as it is when the reader goes to another page: one outside of the chat needs more messages.
  const extent = isChatPath(usePathname()) ? props.extent : 'all'
  return (
    <>
      <InLanguage {...props} extent={extent} />
      <PageChange />
      <OfflineCaching />
    </>
  )
}
