'use client'

import { useEffect } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import { onFirstInteraction } from './first-interaction'

/**
 * Prepares this browser to work without the server, after the first user interaction, so that it does not delay the
 * first paint.
 */
export function OfflineCaching() {
  useEffect(
    () =>
      onFirstInteraction(() => {
        loadPart(() => import('@/lib/client/wiring/page/offline.browser'))
          .then(({ cacheForOffline }) => cacheForOffline())
          // Without the service worker, everything works as long as there is a network.
          .catch(() => undefined)
      }),
    [],
  )
  return null
}
