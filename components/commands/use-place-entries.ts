'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { changePage } from '@/components/ui/page-change'
import { pageList } from './page-list'
import { paletteEntry, type PaletteEntry } from './palette-entry'

/** Of the page that is open: the router would change the address without a word to what listens for it. */
function goToPart(part: string): void {
  window.location.hash = part
}

/** The pages beside the chat and their parts; all but the page that is open. */
export function usePlaceEntries(): readonly PaletteEntry[] {
  const router = useRouter()
  const pathname = usePathname()
  return useMemo(() => {
    const { account, admin } = document.documentElement.dataset
    const pages = pageList({ hasAccounts: account !== undefined, isAdmin: admin !== undefined })
    const go = (href: string) => {
      const [path, part] = href.split('#')
      if (path === pathname && part !== undefined) goToPart(part)
      else changePage(() => router.push(href))
    }
    return pages
      .filter(({ href }) => href !== pathname)
      .map(({ href, icon, label, also }) =>
        paletteEntry({ id: `page ${href}`, group: 'places', icon, label, run: () => go(href) }, also),
      )
  }, [router, pathname])
}
