'use client'

import { useEffect } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import { whenSomebodyIsHere } from './somebody-here'

/** Keeps this browser able to go on without the server, once somebody is at the page: it takes none of the first moments. */
export function KeepOffline() {
  useEffect(
    () =>
      whenSomebodyIsHere(() => {
        loadPart(() => import('@/lib/wiring/offline.browser'))
          .then(({ keepOffline }) => keepOffline())
          // Without it, or where the browser denies it, all works as long as there is a network.
          .catch(() => undefined)
      }),
    [],
  )
  return null
}
