'use client'

import { useEffect } from 'react'
import { loadPart } from '@/lib/i18n/load-part'

const signs = ['pointermove', 'pointerdown', 'keydown'] as const

let isHere = false

/**
 * Runs `task` at the first user interaction, or immediately if there was one, so that code needed later does not
 * compete with the page's own. Returns a function that cancels it.
 */
export function onFirstInteraction(task: () => void): () => void {
  if (isHere) {
    task()
    return () => {}
  }
  const waiting = new AbortController()
  const begin = () => {
    isHere = true
    waiting.abort()
    task()
  }
  for (const sign of signs) {
    window.addEventListener(sign, begin, { signal: waiting.signal, capture: true, passive: true })
  }
  return () => waiting.abort()
}

/** For tests: resets to a newly opened page. */
export function forgetInteraction(): void {
  isHere = false
}

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
