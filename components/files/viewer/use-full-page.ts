import { useEffect, useState } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import type { Vfs } from '@/lib/vfs/vfs'
import type { PageUse, FullPage } from '@/lib/client/files/page/inline-page'
import { changedIn } from '@/lib/client/files/page/page-bundle'

const settleMs = 150

/** The page with what lies beside it taken in; made anew when any file changes. Null at first. */
export function useFullPage(
  vfs: Pick<Vfs, 'read' | 'tree' | 'watch'>,
  path: string,
  text: string,
  use: PageUse = 'seen',
): FullPage | null {
  const [page, setPage] = useState<FullPage | null>(null)
  const [changes, setChanges] = useState(0)
  useEffect(() => vfs.watch(() => setChanges((count) => count + 1)), [vfs])
  useEffect(() => {
    let wanted = true
    const make = async () => {
      const { inlinePage } = await loadPart(() => import('@/lib/client/files/page/inline-page'))
      const made = await inlinePage(vfs, path, text, use)
      if (!wanted) return
      // The same page again must not load its frame again.
      setPage((known) => (known !== null && isSame(known, made) ? known : made))
    }
    const timer = setTimeout(() => void make().catch(() => {}), changes === 0 ? 0 : settleMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [vfs, path, text, use, changes])
  return page
}

const isSame = (known: FullPage, made: FullPage): boolean =>
  known.html === made.html && known.hasScripts === made.hasScripts && changedIn(known.bundle, made.bundle).length === 0
