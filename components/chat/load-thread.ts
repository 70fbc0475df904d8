'use client'

import { preloadMarkdown } from '@/components/markdown/preload'
import { loadWaiting } from './use-waiting'

/** Messages, cards and the virtual list: a new chat shows without them. */
export const loadThread = () => import('@/components/thread/thread')

const load = (): void => {
  preloadMarkdown()
  void loadWaiting().catch(() => {})
  loadThread().catch(() => {
    // The first message asks again.
  })
}

// A page that opens a conversation needs them at once, beside the conversation itself.
if (typeof window !== 'undefined' && window.location.pathname.startsWith('/c/')) load()

/** Loads them ahead of the first message, when the browser has nothing else to do. */
export function preloadThread(): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(load, 500)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(load, { timeout: 2_000 })
  return () => cancelIdleCallback(handle)
}
